import Foundation
import ReactiveSwiftCompatibility
import Testing

// Child processes as streams: what they print, as it comes, and what came of them.

private struct Command: Hashable, CustomStringConvertible {
  var path: String
  var arguments: [String] = []

  var description: String { ([path] + arguments).joined(separator: " ") }

  static func shell(_ script: String) -> Command {
    Command(path: "/bin/sh", arguments: ["-c", script])
  }
}

private enum CommandError: Error, Equatable, CustomStringConvertible {
  case failed(Command, code: Int32, complaint: String?)
  case couldNotStart(Command)
  case tookTooLong

  var description: String {
    switch self {
    case let .failed(command, code, complaint):
      return "\(command): \(code)" + (complaint.map { ", \($0)" } ?? "")
    case let .couldNotStart(command): return "no such program: \(command.path)"
    case .tookTooLong: return "took too long"
    }
  }
}

private protocol ProgressProtocol {
  associatedtype Outcome
  var outcome: Outcome? { get }
}

private enum Progress<Outcome>: ProgressProtocol {
  case launched(Command)
  case printed(Data)
  case complained(Data)
  case done(Outcome)

  var outcome: Outcome? {
    if case let .done(outcome) = self { return outcome }
    return nil
  }

  func mapProducer<New, Failure>(
    _ transform: (Outcome) -> SignalProducer<New, Failure>
  ) -> SignalProducer<Progress<New>, Failure> {
    switch self {
    case let .launched(command): return SignalProducer(value: .launched(command))
    case let .printed(data): return SignalProducer(value: .printed(data))
    case let .complained(data): return SignalProducer(value: .complained(data))
    case let .done(outcome): return transform(outcome).map(Progress<New>.done)
    }
  }
}

extension Signal where Value: ProgressProtocol {
  fileprivate func outcomes() -> Signal<Value.Outcome, Error> { map(\.outcome).skipNil() }
}

extension SignalProducer where Value: ProgressProtocol {
  fileprivate func outcomes() -> SignalProducer<Value.Outcome, Error> { lift { $0.outcomes() } }
}

extension SignalProducer where Error == CommandError {
  fileprivate func andThen<Outcome, New>(
    _ strategy: FlattenStrategy, _ next: @escaping (Outcome) -> SignalProducer<New, Error>
  ) -> SignalProducer<Progress<New>, Error> where Value == Progress<Outcome> {
    flatMap(strategy) { progress in progress.mapProducer(next) }
  }
}

extension FileHandle {
  fileprivate func chunks() -> SignalProducer<Data, CommandError> {
    SignalProducer { observer, lifetime in
      DispatchQueue.global().async {
        while !lifetime.hasEnded {
          let data = self.availableData
          if data.isEmpty { break }
          observer.send(value: data)
        }
        observer.sendCompleted()
      }
    }
  }
}

extension Command {
  fileprivate func launch(
    input: SignalProducer<Data, Never> = .empty
  ) -> SignalProducer<Progress<Data>, CommandError> {
    SignalProducer { observer, lifetime in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: self.path)
      process.arguments = self.arguments
      let (output, complaints, feed) = (Pipe(), Pipe(), Pipe())
      process.standardOutput = output
      process.standardError = complaints
      process.standardInput = feed
      guard (try? process.run()) != nil else {
        return observer.send(error: .couldNotStart(self))
      }
      observer.send(value: .launched(self))
      func gathered(
        _ pipe: Pipe, _ progress: @escaping (Data) -> Progress<Data>
      ) -> SignalProducer<Data, CommandError> {
        pipe.fileHandleForReading.chunks()
          .on(value: { observer.send(value: progress($0)) })
          .reduce(into: Data()) { $0.append($1) }
      }
      lifetime +=
        input
        .on(terminated: { feed.fileHandleForWriting.closeFile() })
        .startWithValues { feed.fileHandleForWriting.write($0) }
      lifetime +=
        SignalProducer
        .zip(gathered(output, Progress.printed), gathered(complaints, Progress.complained))
        .flatMap(.concat) { text, complaint -> SignalProducer<Progress<Data>, CommandError> in
          process.waitUntilExit()
          let code = process.terminationStatus
          if code == 0 { return SignalProducer(value: .done(text)) }
          let words = complaint.isEmpty ? nil : String(data: complaint, encoding: .utf8)
          return SignalProducer(error: .failed(self, code: code, complaint: words))
        }
        .start(observer)
      lifetime.observeEnded { if process.isRunning { process.terminate() } }
    }
  }

  fileprivate func text() -> SignalProducer<String, CommandError> {
    launch().outcomes().map { String(decoding: $0, as: UTF8.self) }
  }
}

@Suite struct Processes {
  @Test("P1: a process's output comes as it is printed, and as a whole when it has ended")
  func output() {
    let command = Command(path: "/bin/echo", arguments: ["hello"])
    #expect(command.text().single() == .success("hello\n"))
    var log: [String] = []
    let run = command.launch().on(value: { progress in
      switch progress {
      case let .launched(command): log.append("launched \(command)")
      case let .printed(data): log.append("printed \(data.count)")
      case let .complained(data): log.append("complained \(data.count)")
      case let .done(data): log.append("done \(data.count)")
      }
    })
    guard case .success = run.wait() else {
      Issue.record("it failed")
      return
    }
    #expect(log == ["launched /bin/echo hello", "printed 6", "done 6"])
    let cat = Command(path: "/bin/cat")
    let fed = cat.launch(input: SignalProducer(["a", "b"]).map { Data($0.utf8) })
    #expect(fed.outcomes().map { String(decoding: $0, as: UTF8.self) }.single() == .success("ab"))
  }

  @Test("P1: a process that fails says why, and one that is not there, too")
  func failures() {
    let bad = Command.shell("echo oops >&2; exit 3")
    let error = CommandError.failed(bad, code: 3, complaint: "oops\n")
    #expect(bad.text().first() == .failure(error))
    #expect("\(error)" == "/bin/sh -c echo oops >&2; exit 3: 3, oops\n")
    let missing = Command(path: "/no/such/program")
    #expect(missing.text().first() == .failure(.couldNotStart(missing)))
    let slow = Command.shell("exec sleep 100").text()
      .timeout(after: 0.05, raising: .tookTooLong, on: QueueScheduler(name: "clock"))
    #expect(slow.first() == .failure(.tookTooLong))
  }

  @Test("H12: processes run one after the other, or three at once")
  func many() {
    let chained = Command.shell("printf abc").launch().andThen(.concat) { data in
      Command(path: "/bin/echo", arguments: ["-n", String(decoding: data, as: UTF8.self)]).text()
    }
    #expect(chained.outcomes().single() == .success("abc"))
    let queue = QueueScheduler(name: "processes")
    let numbers = SignalProducer<Int, CommandError>(1...6)
      .flatMap(.concurrent(limit: 3)) { Command.shell("printf \($0)").text().start(on: queue) }
      .collect()
      .map { $0.sorted().joined() }
    #expect(numbers.single() == .success("123456"))
    let steps = SignalProducer<String, CommandError>(["true", "false", "true"])
      .flatMap(.concat) { Command.shell($0).launch() }
      .then(SignalProducer<Void, CommandError>.empty)
    guard case let .failure(error) = steps.wait() else {
      Issue.record("it succeeded")
      return
    }
    #expect(error == .failed(.shell("false"), code: 1, complaint: nil))
  }

  @Test("P4: to dispose of a run ends its process")
  func disposal() {
    var log: [String] = []
    let run = Command.shell("exec sleep 100").launch().start { event in
      if event.isTerminating { log.append("\(event)") }
    }
    run.dispose()
    #expect(log == ["INTERRUPTED"])
  }
}
