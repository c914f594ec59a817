import Foundation
import ReactiveSwiftCompatibility
import Testing

// A tool that resolves and builds dependencies: pipelines of producers, run to their end by blocking.

private enum ToolError: Error, Equatable, CustomStringConvertible {
  case notFound(String)
  case buildFailed(String, code: Int32)
  case cycle([String])

  var description: String {
    switch self {
    case let .notFound(name): return "no such package: \(name)"
    case let .buildFailed(name, code): return "\(name) failed with \(code)"
    case let .cycle(names): return "cycle: \(names.joined(separator: " -> "))"
    }
  }
}

private enum BuildEvent: Equatable {
  case launched(String)
  case output(String, String)
  case success(String)

  var value: String? {
    if case let .success(name) = self { return name }
    return nil
  }
}

extension SignalProducer where Value == BuildEvent {
  fileprivate func ignoringOutput() -> SignalProducer<String, Error> {
    compactMap { event in event.value }
  }
}

extension SignalProducer {
  /// Starts on a queue, with at most so many others.
  fileprivate func startOnQueue(_ queue: QueueScheduler) -> SignalProducer<Value, Error> {
    start(on: queue)
  }

  /// Delays errors until the end of the others.
  fileprivate static func collectingFailures(
    _ producers: [SignalProducer<Value, Error>]
  ) -> SignalProducer<[Result<Value, Error>], Never> {
    SignalProducer<SignalProducer<Result<Value, Error>, Never>, Never>(
      producers.map { $0.materializeResults() }
    )
    .flatten(.concat)
    .collect()
  }
}

private struct Project {
  let manifests: [String: [String]]
  let queue = QueueScheduler(qos: .userInitiated, name: "builds")

  func dependencies(of name: String) -> SignalProducer<String, ToolError> {
    SignalProducer { () -> Result<[String], ToolError> in
      self.manifests[name].map(Result.success) ?? .failure(.notFound(name))
    }
    .flatten()
  }

  /// The names in an order in which they can be built.
  func resolve(
    _ name: String, path: [String] = []
  ) -> SignalProducer<String, ToolError> {
    guard !path.contains(name) else { return SignalProducer(error: .cycle(path + [name])) }
    return dependencies(of: name)
      .flatMap(.concat) { self.resolve($0, path: path + [name]) }
      .concat(value: name)
      .uniqueValues()
  }

  func build(_ name: String) -> SignalProducer<BuildEvent, ToolError> {
    SignalProducer<BuildEvent, ToolError> { observer, lifetime in
      observer.send(value: .launched(name))
      for line in ["compiling", "linking"] where !lifetime.hasEnded {
        observer.send(value: .output(name, line))
      }
      if name.hasPrefix("bad") {
        observer.send(error: .buildFailed(name, code: 1))
      } else {
        observer.send(value: .success(name))
        observer.sendCompleted()
      }
    }
    .startOnQueue(queue)
  }

  func buildAll(_ root: String) -> SignalProducer<BuildEvent, ToolError> {
    resolve(root)
      .collect()
      .flatMap(.merge) { names in SignalProducer<String, ToolError>(names) }
      .flatMap(.concurrent(limit: 2)) { name in self.build(name) }
  }
}

@Suite struct CommandLineTools {
  private let project = Project(manifests: [
    "app": ["net", "ui"], "net": ["core"], "ui": ["core", "net"], "core": [],
    "broken": ["badlib"], "badlib": [], "loop": ["pool"], "pool": ["loop"],
  ])

  @Test("P1: a tool resolves, builds and returns what came of it")
  func build() {
    #expect(
      project.resolve("app").collect().single() == .success(["core", "net", "ui", "app"]))
    let built = project.buildAll("app").ignoringOutput().collect().map { $0.sorted() }.single()
    #expect(built == .success(["app", "core", "net", "ui"]))
    switch project.buildAll("app").then(SignalProducer<(), ToolError>.empty).wait() {
    case .success: break
    case let .failure(error): Issue.record("\(error)")
    }
  }

  @Test("P1: a tool's failures come out as results")
  func failures() {
    #expect(project.resolve("nothing").wait().failure == .notFound("nothing"))
    #expect(project.resolve("loop").wait().failure == .cycle(["loop", "pool", "loop"]))
    #expect(project.buildAll("broken").last() == .failure(.buildFailed("badlib", code: 1)))
    let reports = SignalProducer.collectingFailures(["core", "badlib"].map { project.build($0) })
      .single()
    guard case let .success(results)? = reports else {
      Issue.record("no report")
      return
    }
    #expect(results.count == 8)
    #expect(results.last == .failure(.buildFailed("badlib", code: 1)))
  }

  @Test("P1: lines of a process's output are cut from its bytes")
  func lines() {
    let chunks = SignalProducer<Data, Never>(
      ["al", "pha\nbe", "ta\n\ngam", "ma"].map { Data($0.utf8) })
    let lines =
      chunks
      .map { String(decoding: $0, as: UTF8.self) }
      .concat(value: "\n")
      .scanMap("") { (rest: String, chunk: String) -> (String, [String]) in
        var parts = (rest + chunk).components(separatedBy: "\n")
        let last = parts.removeLast()
        return (last, parts)
      }
      .flatten()
      .filter { !$0.isEmpty }
      .reduce(into: []) { $0.append($1) }
      .single()
    #expect(lines == .success(["alpha", "beta", "gamma"]))
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case let .failure(error) = self { return error }
    return nil
  }
}
