internal import CVarveSystem
internal import VarveProbe

#if canImport(Runtime) && os(Linux)
  internal import Runtime
#endif

/// Functions, files and lines for addresses of the running program.
///
/// The toolchain's `Runtime` knows functions that were inlined, files and lines; where it knows
/// nothing, the dynamic linker may still have a name.
enum ProcessSymbols {
  typealias Frame = AsyncBacktrace.Frame

  private static let most = 1 << 16
  private static let known = Lock<[UInt: [Frame]]>([:])

  /// The frames at a return address, the innermost inlined one first.
  static func frames(at address: UInt) -> [Frame] {
    if let frames = known.withLock({ $0[address] }) { return frames }
    return [exported(address)]
  }

  /// Looks up all addresses that nobody has looked up before.
  static func lookUp(_ addresses: [UInt]) {
    let unknown = known.withLock { known in Set(addresses).filter { known[$0] == nil } }
    guard !unknown.isEmpty else { return }
    let found = symbolicated(unknown.sorted())
    known.withLock { known in
      if known.count + unknown.count > most { known.removeAll() }
      for address in unknown { known[address] = found[address] ?? [exported(address)] }
    }
  }

  #if canImport(Runtime) && os(Linux)
    private static func symbolicated(_ addresses: [UInt]) -> [UInt: [Frame]] {
      guard let backtrace = Backtrace(returnAddresses: addresses),
        let named = backtrace.symbolicated(with: ImageMap.capture())
      else { return [:] }
      var found: [UInt: [Frame]] = [:]
      var inlined: [SymbolicatedBacktrace.Symbol?] = []
      for frame in named.frames {
        inlined.append(frame.symbol)
        if frame.inlined { continue }
        if case .returnAddress(let address) = frame.captured, let number = UInt64(address) {
          found[UInt(number)] = frames(at: UInt(number), inlined)
        }
        inlined = []
      }
      return found
    }

    private static func frames(
      at address: UInt, _ symbols: [SymbolicatedBacktrace.Symbol?]
    ) -> [Frame] {
      let frames = symbols.enumerated().compactMap { index, symbol -> Frame? in
        guard let symbol, !symbol.name.hasPrefix("<unknown>") else { return nil }
        let place = symbol.sourceLocation.flatMap { $0.line > 0 ? $0 : nil }
        let image = FunctionKind.isOfMachinery(image: symbol.imageName)
        let isMachinery =
          image || FunctionKind.isMachinery(symbol.name, file: place?.path)
          || FunctionKind.isOfLibrary(mangled: symbol.rawName)
        return Frame(
          address: address, function: FunctionKind.plain(symbol.name), file: place?.path,
          line: place?.line ?? 0, isInlined: index < symbols.count - 1, isMachinery: isMachinery)
      }
      return frames.isEmpty ? [exported(address)] : frames
    }
  #else
    private static func symbolicated(_ addresses: [UInt]) -> [UInt: [Frame]] { [:] }
  #endif

  /// What the dynamic linker knows.
  private static func exported(_ address: UInt) -> Frame {
    var symbol = vv_symbol()
    guard vv_symbol_find(address - 1, &symbol) else {
      return Frame(
        address: address, function: nil, file: nil, line: 0, isInlined: false, isMachinery: false)
    }
    let mangled = symbol.name.map { String(cString: $0) }
    let image = symbol.image.map { String(cString: $0) } ?? ""
    let name = symbol.name.flatMap { demangled($0) } ?? mangled
    return Frame(
      address: address, function: name.map(FunctionKind.plain), file: nil, line: 0,
      isInlined: false,
      isMachinery: FunctionKind.isOfMachinery(image: image)
        || FunctionKind.isOfLibrary(mangled: mangled ?? "")
        || FunctionKind.isMachinery(name ?? "", file: nil))
  }

  private static func demangled(_ mangled: UnsafePointer<CChar>) -> String? {
    guard let text = vv_symbol_demangle(mangled) else { return nil }
    defer { vv_symbol_free(text) }
    return String(cString: text)
  }
}
