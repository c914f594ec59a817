internal import VarvePlatform

/// The headers of an ELF file of 64 bits, little-endian: an executable, a library, or a core.
struct ELFFile {
  static let core: UInt16 = 4

  /// A segment.
  struct Segment {
    static let load: UInt32 = 1
    static let note: UInt32 = 4

    var type: UInt32
    var flags: UInt32
    var offset: UInt64
    var address: UInt64
    var fileBytes: UInt64
    var memoryBytes: UInt64

    var isWritable: Bool { flags & 2 != 0 }
  }

  private static let mostTable: UInt64 = 16 << 20
  private static let mostSymbols: UInt64 = 256 << 20

  let file: BinaryFile
  let type: UInt16
  /// Whether it is for x86-64.
  let isX86: Bool
  let segments: [Segment]

  /// Reads the headers; nil if the file is something else.
  init?(path: String) {
    guard let file = BinaryFile(path: path),
      let header = file.bytes(at: 0, count: 64, most: 64),
      header.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
    else { return nil }
    self.file = file
    type = header.load(at: 16)
    isX86 = header.load(at: 18, as: UInt16.self) == 62
    let entry = UInt64(header.load(at: 54, as: UInt16.self))
    let count = UInt64(header.load(at: 56, as: UInt16.self))
    guard entry >= 56,
      let table = file.bytes(
        at: header.load(at: 32), count: entry * count, most: Self.mostTable)
    else { return nil }
    segments = (0..<Int(count)).map { index in
      let at = index * Int(entry)
      return Segment(
        type: table.load(at: at), flags: table.load(at: at + 4), offset: table.load(at: at + 8),
        address: table.load(at: at + 16), fileBytes: table.load(at: at + 32),
        memoryBytes: table.load(at: at + 40))
    }
  }

  /// Returns the addresses, as the file counts them, of the symbols with these names.
  func addresses(of names: Set<String>) -> [String: UInt64] {
    guard let header = file.bytes(at: 0, count: 64, most: 64) else { return [:] }
    let (entry, count) = (
      UInt64(header.load(at: 58, as: UInt16.self)), UInt64(header.load(at: 60, as: UInt16.self))
    )
    guard entry >= 64,
      let table = file.bytes(at: header.load(at: 40), count: entry * count, most: Self.mostTable)
    else { return [:] }
    func section(_ index: Int) -> (type: UInt32, offset: UInt64, size: UInt64, link: UInt32) {
      let at = index * Int(entry)
      return (
        table.load(at: at + 4), table.load(at: at + 24), table.load(at: at + 32),
        table.load(at: at + 40)
      )
    }
    var found: [String: UInt64] = [:]
    // Symbols for the dynamic linker first: they are few.
    for wanted in [11, 2] as [UInt32] {
      for index in 0..<Int(count) where section(index).type == wanted {
        let symbols = section(index)
        guard symbols.link < count else { continue }
        let text = section(Int(symbols.link))
        guard
          let symbolBytes = file.bytes(
            at: symbols.offset, count: symbols.size, most: Self.mostSymbols),
          let textBytes = file.bytes(at: text.offset, count: text.size, most: Self.mostSymbols)
        else { continue }
        search(symbolBytes, textBytes, for: names, into: &found)
      }
      if found.count == names.count { break }
    }
    return found
  }

  private func search(
    _ symbols: [UInt8], _ text: [UInt8], for names: Set<String>, into found: inout [String: UInt64]
  ) {
    let wanted = names.map { (name: $0, bytes: Array($0.utf8) + [0]) }
    for at in stride(from: 0, to: symbols.count - symbols.count % 24, by: 24) {
      let name = Int(symbols.load(at: at, as: UInt32.self))
      let value: UInt64 = symbols.load(at: at + 8)
      guard value != 0, name < text.count else { continue }
      // All names that are looked for begin alike.
      guard text[name] == UInt8(ascii: "_") else { continue }
      for each in wanted where text[name...].starts(with: each.bytes) { found[each.name] = value }
    }
  }
}

extension [UInt8] {
  /// Returns the number at an offset, which is inside.
  func load<Number: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, as type: Number.Type = Number.self
  ) -> Number {
    withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
  }
}
