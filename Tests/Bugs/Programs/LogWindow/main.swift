// Symptom: The log window of the build lags. The build has been over for seconds and lines are
// still trickling in.
// Looks at: the lines in the window ("lines")

import Foundation
import Varve

final class Build {
  let output: Signal<String, Never>
  private let input: Signal<String, Never>.Observer
  private let compiler = QueueScheduler(name: "compiler")

  init() { (output, input) = Signal.pipe() }

  func run(files: Int) {
    compiler.schedule { [input] in
      for file in 0..<files {
        input.send(value: "Compiling File\(file).swift")
        if file % 7 == 0 { input.send(value: "warning: unused variable") }
        Thread.sleep(forTimeInterval: 0.0006)
      }
      input.sendCompleted()
    }
  }
}

final class LogWindow {
  private let ui = QueueScheduler(name: "ui")
  private(set) var lines: [String] = []
  private(set) var closedAt: Date?

  func attach(to build: Build) {
    build.output
      .map { $0.replacingOccurrences(of: "warning:", with: "⚠︎") }
      .observe(on: ui)  // culprit
      .named("lines")
      .observe(
        Signal.Observer(
          value: { [unowned self] in append($0) },
          completed: { [unowned self] in closedAt = Date() }))
  }

  private func append(_ line: String) {
    lines.append(line)
    layOut()
  }

  private func layOut() { Thread.sleep(forTimeInterval: 0.004) }
}

let window = LogWindow()
let build = Build()
window.attach(to: build)
let finished = Date()
build.run(files: 300)
Thread.sleep(forTimeInterval: 0.5)
print("after 0.5 s: \(window.lines.count) lines")
Thread.sleep(forTimeInterval: 1.4)
print("after 1.9 s: \(window.lines.count) lines")
if let closed = window.closedAt { print("end after \(closed.timeIntervalSince(finished)) s") }
