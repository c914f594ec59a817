import Foundation
import Testing

/// Every operator is explained once: by a marble diagram, and by what becomes of events, memory and
/// threads. Its other forms refer to that.
@Suite struct DocCommentTests {
  private static let types: Set = [
    "Signal", "SignalProducer", "PropertyProtocol", "Property", "MutableProperty", "LazyList",
  ]

  /// The operators among the functions of a file. Whoever observes, starts or reads makes no stream.
  private static func operators(in path: String) throws -> [PublicFunction] {
    let makesStream: Set = ["observe(on:)", "start(on:)", "startOnCurrentScheduler()"]
    let makesNone: Set = [
      "waitForFirst()", "waitForSingle()", "waitForLast()", "waitForEnd()", "foldRight(_:_:)",
      "makeIterator()",
    ]
    return try PublicFunction.all(in: path).filter {
      guard types.contains($0.type), !makesNone.contains($0.name) else { return false }
      let observes = $0.name.hasPrefix("observe") || $0.name.hasPrefix("start")
      return !observes || makesStream.contains($0.name)
    }
  }

  private static func allOperators() throws -> [PublicFunction] {
    let files =
      Repository.files(in: "Sources/VarveReactive/Operators", endingIn: ".swift")
      + Repository.files(in: "Sources/ReactiveCocoa2Compatibility", endingIn: ".swift")
      + ["Property+Combining", "PropertyProtocol+Operators"].map {
        "Sources/VarveReactive/Properties/\($0).swift"
      }
    return try files.flatMap(operators)
  }

  @Test("Each operator says what becomes of events, memory and threads, or where it is said")
  func parts() throws {
    var unexplained = try Self.allOperators()
    #expect(unexplained.count > 250)
    var explained: Set<String> = []
    var before = 0
    // A form may refer to one that refers to the explanation.
    repeat {
      before = unexplained.count
      let now = try unexplained.filter {
        try $0.lacks.isEmpty || $0.references().contains { explained.contains($0) }
      }
      explained.formUnion(now.flatMap { [$0.name, "\($0.type).\($0.name)"] })
      unexplained.removeAll { function in now.contains { $0.place == function.place } }
    } while unexplained.count < before
    for function in unexplained {
      let lacks = function.lacks.joined(separator: ", ")
      let references = try function.references()
      Issue.record(
        "\(function.place): \(function.name) lacks \(lacks), and refers to \(references)")
    }
  }

  @Test(
    "Streams that are neither signals nor producers say what becomes of events, memory and threads",
    arguments: [
      "VarveReactive/Streams/Subject", "VarveReactive/Streams/ReplaySubject",
      "VarveReactive/Streams/BehaviorSubject", "VarveReactive/Streams/Connection",
      "ReactiveCocoa2Compatibility/Lists/LazyList",
      "ReactiveCocoa2Compatibility/Channels/Channel",
    ])
  func types(_ file: String) throws {
    let lines = try Repository.lines(of: "Sources/\(file).swift")
    let name = file.split(separator: "/")[2]
    let declaration = try Regex("^public (?:final )?(?:class|struct|protocol) \(name)<")
    let place = try #require(lines.firstIndex { $0.starts(with: declaration) })
    let comment = lines[..<place].reversed().prefix { $0.hasPrefix("///") }
    for part in ["*Events*:", "*Memory*:", "*Scheduling*:"] {
      #expect(comment.contains { $0.contains("- \(part)") }, "\(name) lacks \(part)")
    }
    #expect(comment.contains { $0.hasPrefix("///     ") }, "\(name) lacks an example")
  }

  @Test("Every public function of a stream has a doc comment")
  func documented() throws {
    for path in Repository.files(in: "Sources/VarveReactive", endingIn: ".swift") {
      for function in try PublicFunction.all(in: path) {
        #expect(!function.comment.isEmpty, "\(function.place): \(function.name)")
      }
    }
  }
}

extension PublicFunction {
  /// The parts of an explanation that the comment lacks.
  fileprivate var lacks: [String] {
    var missing = ["Events", "Memory", "Scheduling"].filter { part in
      !comment.contains { $0.contains("- *\(part)*:") }
    }
    if !comment.contains(where: { $0.hasPrefix("     ") }) { missing.append("diagram") }
    return missing
  }

  /// The functions that the comment sends the reader to: `See `Signal.map(_:)`.`
  fileprivate func references() throws -> [String] {
    let reference = try Regex(
      #"See\s+`([\w.]+)\(([\w:]*)\)`"#, as: (Substring, Substring, Substring).self)
    return comment.joined(separator: " ").matches(of: reference).map { match in
      let labels = match.output.2.split(separator: ":").map(String.init)
      let told = labels.filter { !PublicFunction.places.contains($0) }
      return "\(match.output.1)(\(told.map { "\($0):" }.joined()))"
    }
  }
}
