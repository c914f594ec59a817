internal import VarveProbe

/// A program that reads debug information: `llvm-symbolizer` or `addr2line`.
struct SymbolTool: Sendable {
  private let path: String
  private let isLLVM: Bool

  /// The warning for when there is none.
  static let advice = """
    addresses cannot be given names: install llvm (llvm-symbolizer) or binutils (addr2line), or name \
    one of the two in VARVE_SYMBOLIZER
    """

  /// Returns the program named by the user, or else the best one available; nil when there is none.
  static func find() -> SymbolTool? {
    if let named = ToolOutput.variable("VARVE_SYMBOLIZER") {
      return ToolOutput.path(of: named).map(SymbolTool.init)
    }
    let known =
      ["llvm-symbolizer"] + (14...22).reversed().map { "llvm-symbolizer-\($0)" } + ["addr2line"]
    return known.lazy.compactMap { ToolOutput.path(of: $0) }.first.map(SymbolTool.init)
  }

  init(path: String) {
    self.path = path
    isLLVM = path.split(separator: "/").last?.contains("addr2line") != true
  }

  /// The number of addresses in one request.
  private static let most = 1_000

  /// Returns the functions at addresses relative to a file, innermost inlined one first. Addresses
  /// without known functions are left out.
  func functions(at addresses: [UInt64], in file: String) -> [UInt64: [FunctionPlace]] {
    var found: [UInt64: [FunctionPlace]] = [:]
    for start in stride(from: 0, to: addresses.count, by: Self.most) {
      let part = addresses[start..<min(start + Self.most, addresses.count)]
      let options =
        isLLVM
        ? [
          "--output-style=GNU", "--addresses", "--inlines", "--functions=linkage", "--obj=\(file)",
        ]
        : ["-a", "-i", "-f", "-C", "-e", file]
      let numbers = part.map { "0x" + String($0, radix: 16) }
      guard let text = ToolOutput.of([path] + options + numbers) else { continue }
      found.merge(Self.parse(text)) { _, last in last }
    }
    return found
  }

  /// Parses the output. Both programs print an address, then two lines for each function: its name
  /// and its place.
  static func parse(_ text: String) -> [UInt64: [FunctionPlace]] {
    var found: [UInt64: [FunctionPlace]] = [:]
    var address: UInt64?
    var name: String?
    for line in text.split(separator: "\n").map(String.init) {
      if line.hasPrefix("0x"), let number = UInt64(line.dropFirst(2), radix: 16) {
        address = number
        name = nil
      } else if let function = name {
        name = nil
        guard let address, let place = place(function, line) else { continue }
        found[address, default: []].append(place)
      } else {
        name = line
      }
    }
    return found
  }

  /// Parses `file:line`, which a remark in parentheses may follow; `??` stands for unknown parts.
  private static func place(_ function: String, _ place: String) -> FunctionPlace? {
    let plain = place.split(separator: " (", maxSplits: 1).first.map(String.init) ?? place
    let colon = plain.lastIndex(of: ":")
    let file = colon.map { String(plain[..<$0]) } ?? plain
    let line = colon.flatMap { UInt32(plain[plain.index(after: $0)...]) } ?? 0
    let isKnown = !file.hasPrefix("??") && !file.isEmpty && line > 0
    guard function != "??" || isKnown else { return nil }
    return FunctionPlace(
      function: SwiftName.readable(function), file: isKnown ? file : nil, line: isKnown ? line : 0,
      returnsProducer: SwiftName.returnsProducer(function))
  }
}
