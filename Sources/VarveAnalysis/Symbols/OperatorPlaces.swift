internal import VarveFormat
internal import VarveProbe

/// The places of operators in the program's source. Roots get theirs from `#fileID` and `#line`;
/// for operators, the trace has the stack in which each was made.
///
/// Stacks are looked up when they are asked for. Every look-up runs a program, so each one that
/// becomes necessary takes many more stacks along than the one before.
final class OperatorPlaces {
  /// The maximum number of stacks that are looked up: a flattening may have many inner streams.
  private static let most = 20_000
  /// The growth of look-ups.
  private static let factor = 64

  private let definitions: TraceDefinitions
  private let symbols: Symbolizer
  private var places: [UInt32: Place?] = [:]
  private var batch = 1
  /// The stacks of operators that have not been looked up, those of the newest streams first.
  private lazy var waiting: [UInt32] = {
    let operators = definitions.streams.values.filter { $0.place == nil && $0.stack != 0 }
    var known: Set<UInt32> = []
    return operators.sorted { $0.id < $1.id }.prefix(Self.most).map(\.stack)
      .filter { known.insert($0).inserted }.reversed()
  }()
  /// The files in the trace with their modules, by file name; names that occur in two modules are
  /// left out.
  private lazy var modules: [String: String] = {
    let files = Set(definitions.streams.values.compactMap(\.place?.file))
    return Dictionary(grouping: files) { Place(file: $0, line: 0).name }
      .compactMapValues { $0.count == 1 ? $0.first : nil }
  }()

  init(_ definitions: TraceDefinitions, _ symbols: Symbolizer) {
    self.definitions = definitions
    self.symbols = symbols
  }

  /// Returns the place in the code that made a stream; nil if it cannot be found.
  subscript(stream: StreamDefinition) -> Place? {
    guard stream.place == nil, stream.stack != 0 else { return nil }
    if let known = places[stream.stack] { return known }
    guard places.count < Self.most else { return nil }
    lookUp(stream.stack)
    return places[stream.stack] ?? nil
  }

  private func lookUp(_ stack: UInt32) {
    var stacks = [stack]
    while batch > 1, stacks.count < batch, let next = waiting.popLast() {
      if places[next] == nil, next != stack { stacks.append(next) }
    }
    batch *= Self.factor
    let defined = stacks.compactMap { definitions.stacks[$0] }
    symbols.lookUpOwn(defined.flatMap(\.frames))
    for stack in stacks { places[stack] = .some(nil) }
    for stack in defined {
      guard let place = symbols.ownFrame(of: stack.frames)?.place else { continue }
      places[stack.id] = modules[place.name].map { Place(file: $0, line: place.line) } ?? place
    }
  }
}

extension Place {
  /// The file's name without its module or folder.
  fileprivate var name: String { file.split(separator: "/").last.map(String.init) ?? file }
}
