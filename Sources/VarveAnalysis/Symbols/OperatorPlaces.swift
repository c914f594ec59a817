internal import VarveFormat
internal import VarveProbe

/// Where operators stand in the program's source. Roots are told their places by `#fileID` and
/// `#line`; of operators the trace has the stack that each was made in.
enum OperatorPlaces {
  /// So many streams' stacks are looked up at most: the inner streams of a flattening may be many.
  private static let most = 20_000

  /// The places of those streams that have a stack and no place, as far as they can be found.
  static func find(_ definitions: TraceDefinitions, _ symbols: Symbolizer) -> [UInt32: Place] {
    let operators = definitions.streams.values.lazy
      .filter { $0.place == nil && $0.stack != 0 }.sorted { $0.id < $1.id }.prefix(most)
    let stacks = Set(operators.map(\.stack)).compactMap { definitions.stacks[$0] }
    symbols.lookUp(stacks.flatMap(\.frames))
    let places = stacks.reduce(into: [UInt32: Place]()) { places, stack in
      places[stack.id] = symbols.ownFrame(of: stack.frames)?.place
    }
    return operators.reduce(into: [:]) { $0[$1.id] = places[$1.stack] }
  }
}
