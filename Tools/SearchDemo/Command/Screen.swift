import Foundation
import SearchDemo
import Varve

/// Shows a session: on a terminal the line as it is typed, elsewhere the results alone.
struct Screen: Sendable {
  private let isTerminal = isatty(STDOUT_FILENO) == 1

  func show(_ session: SearchSession) {
    if isTerminal {
      session.text.signal.observeValues { show("› \($0)▏") }
    }
    session.results.signal.observeValues { results in
      guard !results.query.isEmpty else { return }
      let query = results.query.padding(toLength: 12, withPad: " ", startingAt: 0)
      let place = results.hits.first.map { "\($0.document):\($0.line)" } ?? ""
      let preview = results.preview?.trimmingCharacters(in: .whitespaces) ?? ""
      show("› \(query) \(results.summary), \(place)  \(preview.prefix(48))\n")
    }
  }

  private func show(_ line: String) {
    let text = isTerminal ? "\r\u{1B}[K" + line : line
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
