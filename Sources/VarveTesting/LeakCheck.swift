internal import VarveProbe
internal import VarveReactive

/// Expects that all streams that `body` makes have gone when it returns.
///
///     try expectNoLeaks {
///       let screen = SearchScreen()
///       screen.type("varve")
///     }
///
/// Only streams that were made on the calling thread count, so that tests may run at the same time.
///
/// - Throws: `LeakedStreams`, which names them with the places where they were made.
public func expectNoLeaks<Result>(_ body: () throws -> Result) throws -> Result {
  let before = Set(StreamRegistry.definitionsOfThisThread().map(\.id))
  let result = try body()
  let leaked = StreamRegistry.definitionsOfThisThread().filter { !before.contains($0.id) }
  guard !leaked.isEmpty else { return result }
  throw LeakedStreams(
    names: leaked.map { stream in
      stream.place.map { "\(stream.name) (made in \($0))" } ?? stream.name
    })
}

/// Streams that outlive what made them.
public struct LeakedStreams: Error, Hashable, CustomStringConvertible {
  /// Their names, with the places where they were made if those are known.
  public let names: [String]

  /// One stream a line.
  public var description: String {
    "\(names.count) streams are still alive:\n" + names.map { "  \($0)" }.joined(separator: "\n")
  }
}

/// The streams that live now, by name, in the order in which they were made.
public func liveStreams() -> [String] { StreamRegistry.definitions().map(\.name) }
