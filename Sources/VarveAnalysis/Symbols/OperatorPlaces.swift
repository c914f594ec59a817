internal import VarveFormat
internal import VarveProbe

/// The places of operators in the program's source. Roots get theirs from `#fileID` and `#line`;
/// for operators, the trace has the stack in which each was made.
enum OperatorPlaces {
  /// The maximum number of streams whose stacks are looked up: a flattening may have many inner
  /// streams.
  private static let most = 20_000

  /// Returns the places of streams that have a stack but no place, as far as they can be found.
  static func find(_ definitions: TraceDefinitions, _ symbols: Symbolizer) -> [UInt32: Place] {
    let operators = definitions.streams.values.lazy
      .filter { $0.place == nil && $0.stack != 0 }.sorted { $0.id < $1.id }.prefix(most)
    let stacks = Set(operators.map(\.stack)).compactMap { definitions.stacks[$0] }
    symbols.lookUp(stacks.flatMap(\.frames))
    let known = modules(definitions)
    let places = stacks.reduce(into: [UInt32: Place]()) { places, stack in
      guard let place = symbols.ownFrame(of: stack.frames)?.place else { return }
      places[stack.id] = known[place.name].map { Place(file: $0, line: place.line) } ?? place
    }
    return operators.reduce(into: [:]) { $0[$1.id] = places[$1.stack] }
  }

  /// Returns the files in the trace with their modules, by file name; names that occur in two
  /// modules are left out.
  private static func modules(_ definitions: TraceDefinitions) -> [String: String] {
    let files = Set(definitions.streams.values.compactMap(\.place?.file))
    return Dictionary(grouping: files) { Place(file: $0, line: 0).name }
      .compactMapValues { $0.count == 1 ? $0.first : nil }
  }
}

extension Place {
  /// The file's name without its module or folder.
  fileprivate var name: String { file.split(separator: "/").last.map(String.init) ?? file }
}
