internal import CVarveSystem
internal import VarvePlatform
internal import VarveProbe
#if canImport(Runtime) && os(Linux)
  internal import Runtime
#endif

/// The calling thread's stack, with names where available, for messages that stop the program.
struct StackFrames {
  private struct Frame {
    /// The address of the frame that returns here; greater further out.
    var address: UInt
    var name: String
    var isUsers: Bool
    var hasPlace: Bool
  }

  private var frames: [Frame]

  /// Walks the stack by frame pointers and asks the platform's symbolizer for names.
  static func capture() -> StackFrames {
    let most = 256
    var returns = [UInt](repeating: 0, count: most)
    var addresses = [UInt](repeating: 0, count: most)
    let count = Int(vv_stack_walk(&returns, &addresses, Int32(most)))
    let known = symbols(of: returns.prefix(count))
    var frames: [Frame] = []
    for index in 0..<count {
      if let named = known[returns[index]] {
        frames += named.map { named in
          var frame = named
          frame.address = addresses[index]
          return frame
        }
      } else if let frame = exported(returns[index], at: addresses[index]) {
        frames.append(frame)
      }
    }
    return StackFrames(frames: frames)
  }

  /// Returns the innermost place outside this library that the frame at `address`, or one further
  /// out, returns to.
  func innermostOfUser(after address: UInt) -> String? {
    let users = frames.filter { $0.address >= address && $0.isUsers }
    guard let innermost = users.first else { return nil }
    // Code merged by the optimizer has a name but no place.
    guard !innermost.hasPlace, let placed = users.first(where: \.hasPlace) else {
      return innermost.name
    }
    return "\(innermost.name), called by \(placed.name)"
  }

  /// Returns functions, files and lines for the return addresses on the stack, innermost first
  /// where functions were inlined.
  private static func symbols(of returns: ArraySlice<UInt>) -> [UInt: [Frame]] {
    var known: [UInt: [Frame]] = [:]
    #if canImport(Runtime) && os(Linux)
      let frames = returns.map { StackFrame(address: UInt64($0)) }
      for (frame, symbols) in ProcessSymbols.symbols(of: frames) {
        let names = symbols.compactMap { $0.map(named) }
        if !names.isEmpty { known[UInt(frame.address)] = names }
      }
    #endif
    return known
  }

  #if canImport(Runtime) && os(Linux)
    private static func named(_ symbol: SymbolicatedBacktrace.Symbol) -> Frame {
      let thunk = "partial apply for "
      let name =
        symbol.name.hasPrefix(thunk) ? String(symbol.name.dropFirst(thunk.count)) : symbol.name
      let isThunk = name.hasPrefix("thunk for ") || name.hasPrefix("reabstraction thunk ")
      guard let place = symbol.sourceLocation, place.line > 0 else {
        return Frame(
          address: 0, name: name, isUsers: !isThunk && !isOwn(symbol.rawName),
          hasPlace: false)
      }
      return Frame(
        address: 0, name: "\(name) at \(place.path):\(place.line)",
        isUsers: !isThunk && !FunctionKind.isMachinery("", file: place.path), hasPlace: true)
    }
  #endif

  private static func exported(_ address: UInt, at frame: UInt) -> Frame? {
    var symbol = vv_symbol()
    guard vv_symbol_find(address - 1, &symbol), let name = symbol.name else { return nil }
    let text = String(cString: name)
    return Frame(
      address: frame, name: text, isUsers: !isOwn(text), hasPlace: false)
  }

  /// Returns whether a function belongs to this library.
  private static func isOwn(_ mangled: String) -> Bool {
    FunctionKind.isOfLibrary(ProcessSymbols.whole(mangled))
  }
}
