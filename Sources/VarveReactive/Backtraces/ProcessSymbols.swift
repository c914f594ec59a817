internal import CVarveSystem
internal import VarveProbe

#if canImport(Runtime) && os(Linux)
  internal import Runtime
#endif

/// Functions, files and lines for stack frames of the running program.
///
/// The toolchain's `Runtime` knows inlined functions, files and lines; where it knows nothing, the
/// dynamic linker may still have a name.
enum ProcessSymbols {
  typealias Frame = AsyncBacktrace.Frame

  private static let most = 1 << 16
  private static let known = Probe.keptOverForks(Lock<[StackFrame: [Frame]]>([:]))

  /// Returns the named frames of a stack frame, the innermost inlined function first.
  static func frames(of frame: StackFrame) -> [Frame] {
    if let frames = known.withLock({ $0[frame] }) { return frames }
    return [exported(frame)]
  }

  /// Looks up all frames that have not been looked up before.
  static func lookUp(_ frames: [StackFrame]) {
    let unknown = known.withLock { known in Set(frames).filter { known[$0] == nil } }
    guard !unknown.isEmpty else { return }
    var found = symbolicated(unknown.sorted { $0.word < $1.word })
    // No lock is held while calling the dynamic linker, because the linker has its own lock, under
    // which programs run code.
    for frame in unknown where found[frame] == nil { found[frame] = [exported(frame)] }
    known.withLock { known in
      if known.count + found.count > most { known.removeAll() }
      known.merge(found) { first, _ in first }
    }
  }

  #if canImport(Runtime) && os(Linux)
    private static func symbolicated(_ frames: [StackFrame]) -> [StackFrame: [Frame]] {
      Dictionary(uniqueKeysWithValues: symbols(of: frames).map { ($0, named($0, $1)) })
    }

    /// Returns what the toolchain knows of frames, each at most once: the symbol of the innermost
    /// inlined function first, nil where there is none.
    static func symbols(
      of frames: [StackFrame]
    ) -> [StackFrame: [SymbolicatedBacktrace.Symbol?]] {
      guard let backtrace = Backtrace(frames), let images = LoadedImages.current(),
        let symbolicated = backtrace.symbolicated(with: images)
      else { return [:] }
      var found: [StackFrame: [SymbolicatedBacktrace.Symbol?]] = [:]
      var inlined: [SymbolicatedBacktrace.Symbol?] = []
      for frame in symbolicated.frames {
        inlined.append(frame.symbol)
        if frame.inlined { continue }
        if let asked = StackFrame(frame.captured) { found[asked] = inlined }
        inlined = []
      }
      return found
    }

    private static func named(
      _ asked: StackFrame, _ symbols: [SymbolicatedBacktrace.Symbol?]
    ) -> [Frame] {
      let frames = symbols.enumerated().compactMap { index, symbol -> Frame? in
        guard let symbol, !symbol.name.hasPrefix("<unknown>") else { return nil }
        let place = symbol.sourceLocation.flatMap { $0.line > 0 ? $0 : nil }
        let isMachinery =
          FunctionKind.isOfMachinery(image: symbol.imageName)
          || FunctionKind.isMachinery(whole(symbol.rawName), file: place?.path)
        return Frame(
          address: UInt(asked.address), function: FunctionKind.plain(symbol.name),
          file: place?.path, line: place?.line ?? 0, isInlined: index < symbols.count - 1,
          isAwaiting: asked.isResumption, isMachinery: isMachinery)
      }
      return frames.isEmpty ? [exported(asked)] : frames
    }
  #else
    private static func symbolicated(_ frames: [StackFrame]) -> [StackFrame: [Frame]] { [:] }
  #endif

  /// Returns what the dynamic linker knows of a frame.
  private static func exported(_ frame: StackFrame) -> Frame {
    var symbol = vv_symbol()
    guard vv_symbol_find(UInt(frame.lookup), &symbol) else {
      return Frame(
        address: UInt(frame.address), function: nil, file: nil, line: 0, isInlined: false,
        isAwaiting: frame.isResumption, isMachinery: false)
    }
    let mangled = symbol.name.map { String(cString: $0) }
    let image = symbol.image.map { String(cString: $0) } ?? ""
    let name = symbol.name.flatMap { demangled($0) } ?? mangled
    return Frame(
      address: UInt(frame.address), function: name.map(FunctionKind.plain), file: nil, line: 0,
      isInlined: false, isAwaiting: frame.isResumption,
      isMachinery: FunctionKind.isOfMachinery(image: image)
        || FunctionKind.isMachinery(name ?? "", file: nil))
  }

  /// Returns the demangled form of a function's name, including its module and types.
  static func whole(_ mangled: String) -> String { demangled(mangled) ?? mangled }

  private static func demangled(_ mangled: UnsafePointer<CChar>) -> String? {
    guard let text = vv_symbol_demangle(mangled) else { return nil }
    defer { vv_symbol_free(text) }
    return String(cString: text)
  }
}
