import Foundation

actor Exchange {
  private let line: IncomingLine
  private let directory: Directory
  private(set) var relayed = 0

  init(line: IncomingLine, directory: Directory) {
    self.line = line
    self.directory = directory
  }

  /// Serves one telegram after the other, each in a task of its own, until the line is closed.
  func run() async {
    await withTaskGroup(of: Transcript?.self) { group in  // culprit
      for await telegram in line.telegrams {
        group.addTask { await self.relay(telegram) }
      }
    }
  }

  @discardableResult
  private func relay(_ telegram: Telegram) async -> Transcript? {
    guard let office = await directory.office(in: telegram.destination) else {
      print("nobody in \(telegram.destination)")
      return nil
    }
    let transcript = Transcript(of: telegram)
    await office.accept(transcript)
    relayed += 1
    return transcript
  }
}

struct Office: Sendable {
  var name: String

  func accept(_ transcript: Transcript) async {
    try? await Task.sleep(for: .milliseconds(transcript.strokes.count > 1_000 ? 10 : 5))
  }
}

actor Directory {
  private let offices = ["Oslo": Office(name: "Oslo harbour"), "Riga": Office(name: "Riga")]

  func office(in city: String) async -> Office? {
    try? await Task.sleep(for: .milliseconds(3))
    return offices[city]
  }
}
