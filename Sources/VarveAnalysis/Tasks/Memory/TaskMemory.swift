internal import VarveProbe

/// The memory of a program whose tasks are read: of a living process, or of a core file. Any part of
/// it may be gone, and its contents may be anything.
protocol TaskMemory: AnyObject {
  /// The executable and its libraries.
  var modules: [ModuleDefinition] { get }
  /// The memory that the program may write to, which contains its tasks.
  var writable: [Range<UInt64>] { get }

  /// The threads, as far as it is known where they are.
  var threads: [ThreadRegisters] { get }

  /// Copies memory into a buffer; returns false if not all of it is there.
  func read(_ address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Bool

  /// Returns those parts of a range that may have contents. A search reads only these.
  func resident(in range: Range<UInt64>) -> [Range<UInt64>]
}

extension TaskMemory {
  func resident(in range: Range<UInt64>) -> [Range<UInt64>] { [range] }

  /// Returns a number; nil if it is not there.
  func number<Number: FixedWidthInteger & BitwiseCopyable>(
    at address: UInt64, as type: Number.Type = Number.self
  ) -> Number? {
    var number: Number = 0
    let isThere = withUnsafeMutableBytes(of: &number) { read(address, into: $0) }
    return isThere ? Number(littleEndian: number) : nil
  }

  /// Returns a pointer; nil if it is not there, or null.
  func pointer(at address: UInt64) -> UInt64? {
    guard let word = number(at: address, as: UInt64.self), word != 0 else { return nil }
    return word
  }

  /// Returns a text that ends with a zero byte, or its first `most` bytes.
  func text(at address: UInt64, most: Int) -> String? {
    var bytes: [UInt8] = []
    while bytes.count < most {
      guard let byte = number(at: address &+ UInt64(bytes.count), as: UInt8.self) else {
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
      }
      if byte == 0 { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
