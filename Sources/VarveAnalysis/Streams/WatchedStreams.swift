public import VarveFormat
internal import VarveProbe

/// The streams that a program's user looks at: those at the end of the flow that the program named.
///
/// They are chosen by the definitions, so that no event has to be read. The history, if there is
/// one, tells besides which streams fed others while the program ran, as those in a `flatMap` do.
public struct WatchedStreams: Sendable {
  /// The names, without repetitions, the likeliest first.
  public let names: [String]

  /// The maximum number of streams that are compared.
  private static let most = 20_000

  /// Chooses among the streams of a trace.
  public init(_ definitions: TraceDefinitions, _ history: TraceHistory? = nil) {
    let streams = definitions.streams.values.lazy.filter { stream in
      stream.traits?.contains(.standsIn) != true && !stream.name.isEmpty && !stream.isFollowed
    }
    // `empty` and the like are called after their kind, which is no name of the program's.
    let named = streams.filter { $0.isNamed && $0.name != $0.operation }
    let chosen = Array((named.isEmpty ? Array(streams) : Array(named)).prefix(Self.most))
    let feeding = Self.feeding(chosen, definitions, history)
    // What is made last is nearest to the screen.
    let ordered = chosen.sorted { one, other in
      let (isEnd, isOtherEnd) = (!feeding.contains(one.id), !feeding.contains(other.id))
      return isEnd == isOtherEnd ? one.id > other.id : isEnd
    }
    var known: Set<String> = []
    names = ordered.map(\.name).filter { known.insert($0).inserted }
  }

  /// Returns the streams that lead to another one of `chosen`, directly or through others.
  private static func feeding(
    _ chosen: [StreamDefinition], _ definitions: TraceDefinitions, _ history: TraceHistory?
  ) -> Set<UInt32> {
    var fed: [UInt32: [UInt32]] = [:]
    for edge in history.map({ Array($0.subscriptions.connected) }) ?? [] where edge.to != 0 {
      fed[edge.to, default: []].append(edge.from)
    }
    func above(_ stream: UInt32) -> [UInt32] {
      (definitions.streams[stream]?.parents ?? []) + (fed[stream] ?? [])
    }
    let walk = TraceWalk(streams: definitions.streams.count)
    let ends = Set(chosen.map(\.id))
    var feeding: Set<UInt32> = []
    var seen: Set<UInt32> = []
    for stream in chosen {
      var open = above(stream.id)
      while let next = open.popLast() {
        if ends.contains(next), next != stream.id { feeding.insert(next) }
        guard walk.step() else { return feeding }
        guard seen.insert(next).inserted else { continue }
        open += above(next)
      }
    }
    return feeding
  }
}
