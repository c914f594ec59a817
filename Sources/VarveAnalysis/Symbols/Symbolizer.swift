public import VarveFormat
public import VarveProbe

/// Finds the names of the addresses in a trace, from the trace itself and from the files that the
/// program was made of.
///
/// Only files of the recorded build are used: names from another build would be wrong without any
/// sign of it.
public final class Symbolizer {
  private let modules: [ModuleDefinition]
  private let map: ModuleMap
  private let files: SymbolFiles
  private let tool: SymbolTool?
  private var symbols: [UInt64: SymbolDefinition]
  private var known: [UInt32: String?] = [:]
  /// The places of the code that follows addresses without a line.
  private var ahead: [UInt64: FunctionPlace] = [:]
  /// Addresses that were looked up in vain.
  private var nameless: Set<UInt64> = []

  /// Sentences for the user about what could not be named, and why.
  public private(set) var warnings: [String] = []

  /// Creates a symbolizer for a trace.
  ///
  /// - Parameters:
  ///   - definitions: the trace's modules and symbols.
  ///   - folders: further folders to search for executables, libraries and their debug information.
  ///   - looksUp: whether files are read; otherwise only the names in the trace are used.
  public init(_ definitions: TraceDefinitions, folders: [String] = [], looksUp: Bool = true) {
    modules = definitions.modules.values.sorted { $0.id < $1.id }
    map = ModuleMap(modules)
    files = SymbolFiles(folders: folders)
    tool = looksUp ? SymbolTool.find() : nil
    symbols = definitions.symbols
    if looksUp, tool == nil, !definitions.stacks.isEmpty { warnings.append(SymbolTool.advice) }
  }

  /// Returns the module that contains an address.
  public func module(at address: UInt64) -> ModuleDefinition? { map[address] }

  /// Returns the functions at a frame, innermost inlined one first; empty when unknown.
  public func functions(at frame: StackFrame) -> [FunctionPlace] {
    symbols[frame.lookup]?.functions ?? []
  }

  /// Returns whether the code at an address (`StackFrame.lookup`) has a name yet.
  public func hasName(_ address: UInt64) -> Bool {
    symbols[address]?.functions.isEmpty == false
  }

  /// Looks up the frames that have no names yet.
  ///
  /// - Returns: the names found, for a trace to store.
  @discardableResult
  public func lookUp(_ frames: some Sequence<StackFrame>) -> [SymbolDefinition] {
    guard let tool else { return [] }
    var wanted: [UInt32: Set<UInt64>] = [:]
    for frame in frames where symbols[frame.lookup] == nil && !nameless.contains(frame.lookup) {
      guard let module = module(at: frame.lookup) else { continue }
      wanted[module.id, default: []].insert(frame.lookup)
    }
    var found: [SymbolDefinition] = []
    for module in modules {
      guard let addresses = wanted[module.id], let file = file(of: module) else { continue }
      let own = addresses.sorted().map { $0 &- module.bias }
      for (address, functions) in tool.functions(at: own, in: file) {
        let symbol = SymbolDefinition(address: address &+ module.bias, functions: functions)
        symbols[symbol.address] = symbol
        found.append(symbol)
      }
      lookAhead(of: addresses, module, in: file, tool)
      nameless.formUnion(addresses.filter { symbols[$0] == nil })
    }
    return found.sorted { $0.address < $1.address }
  }

  /// The number of places after a resumption at which its line is looked for, and the distance of these, in
  /// bytes.
  private static let mostSteps: UInt64 = 48
  private static let step: UInt64 = 4

  /// Where a loop over an asynchronous sequence goes on, the compiler says no line for the first
  /// instructions: it is that of the next ones of the same function.
  private func lookAhead(
    of addresses: Set<UInt64>, _ module: ModuleDefinition, in file: String, _ tool: SymbolTool
  ) {
    guard !FunctionKind.isOfMachinery(image: module.path) else { return }
    let bare = addresses.filter { address in
      guard let last = symbols[address]?.functions.last, last.line == 0 else { return false }
      return !last.function.isEmpty && !FunctionKind.isMachinery(last.function, file: nil)
    }
    guard !bare.isEmpty else { return }
    func next(_ address: UInt64) -> [UInt64] {
      (1...Self.mostSteps).map { address &- module.bias &+ $0 * Self.step }
    }
    let lines = tool.functions(at: Set(bare.flatMap(next)).sorted(), in: file)
    for address in bare {
      let function = symbols[address]?.functions.last?.function
      let places = next(address).lazy.map { lines[$0]?.last }.prefix { $0?.function == function }
      ahead[address] = places.compactMap { $0 }.first { $0.line > 0 }
    }
  }

  /// Returns the place of the code that follows a frame without a line, if that is known.
  func placeAhead(of frame: StackFrame) -> FunctionPlace? { ahead[frame.lookup] }

  /// Looks up those of the frames that may be in the program's own code.
  public func lookUpOwn(_ frames: some Sequence<StackFrame>) {
    lookUp(
      frames.filter { frame in
        module(at: frame.lookup).map { !FunctionKind.isOfMachinery(image: $0.path) } ?? false
      })
  }

  private func file(of module: ModuleDefinition) -> String? {
    if let known = known[module.id] { return known }
    let file = find(module)
    known[module.id] = .some(file)
    return file
  }

  private func find(_ module: ModuleDefinition) -> String? {
    guard !module.path.hasPrefix("linux-vdso") else { return nil }
    switch files.find(module) {
    case .file(let path):
      if module.buildID.isEmpty {
        warnings.append("\(path) has no build id: whether its names are right cannot be told")
      }
      return path
    case .otherBuild(let path):
      warnings.append(
        "\(path) is not the build that was recorded (its build id differs): its frames have no names"
      )
    case .nothing:
      warnings.append(
        "\(module.path) is not here: its frames have no names; --symbols DIR looks elsewhere")
    }
    return nil
  }
}
