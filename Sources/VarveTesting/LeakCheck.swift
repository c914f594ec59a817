internal import VarveProbe
internal import VarveReactive

/// Expects that all streams created in `body` are deallocated when it returns.
///
///     try expectNoLeaks {
///       let screen = SearchScreen()
///       screen.type("varve")
///     }
///
/// Only streams that were created on the calling thread are checked, so that tests may run
/// concurrently.
///
/// - Throws: `LeakedStreams` with the names of these streams and the places where they were
///   created.
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

/// An error that lists streams that have outlived their creator.
public struct LeakedStreams: Error, Hashable, CustomStringConvertible {
  /// The names of the streams, with the places where they were created if known.
  public let names: [String]

  /// The streams, one per line.
  public var description: String {
    "\(names.count) streams are still alive:\n" + names.map { "  \($0)" }.joined(separator: "\n")
  }
}

/// Returns the names of all existing streams, in order of creation.
public func liveStreams() -> [String] { StreamRegistry.definitions().map(\.name) }
