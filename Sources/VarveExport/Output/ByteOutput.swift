/// Bytes on their way out, gathered in one buffer that is used again and again.
///
/// A renderer takes a `Pen`, writes line after line through its pointer, and gives it back. So ten
/// million lines a second are possible: nothing is allocated, and no string is made, for a line.
public final class ByteOutput {
  /// Takes a full buffer; returns the system's error number when it could not.
  public typealias Sink = (UnsafeRawBufferPointer) -> Int32?

  /// Why nothing more is taken: the reader at the other end has gone, the disk is full.
  public private(set) var systemError: Int32?

  private let sink: Sink
  private var storage: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var filled = 0

  /// Creates an output with a buffer of `capacity` bytes.
  public init(capacity: Int = 1 << 16, sink: @escaping Sink) {
    self.sink = sink
    self.capacity = capacity
    storage = .allocate(capacity: capacity)
  }

  deinit { storage.deallocate() }

  /// Whether writing goes on; false once the sink has refused.
  public var isOpen: Bool { systemError == nil }

  /// Hands what was gathered to the sink.
  public func flush() {
    defer { filled = 0 }
    guard filled > 0, isOpen else { return }
    systemError = sink(UnsafeRawBufferPointer(start: storage, count: filled))
  }

  /// Writes text.
  public func write(_ text: String) {
    var pen = pen()
    pen.write(text)
    finish(&pen)
  }

  /// Writes bytes.
  func write(bytes: [UInt8]) {
    var pen = pen()
    pen.reserve(bytes.count)
    bytes.withUnsafeBufferPointer { pen.put($0) }
    finish(&pen)
  }

  /// Lends the rest of the buffer.
  func pen() -> Pen { Pen(output: self, at: storage + filled, end: storage + capacity) }

  /// Takes back what a pen wrote.
  func finish(_ pen: inout Pen) { filled = pen.at - storage }

  /// Whether nothing lies before where a pen writes.
  func isAtStart(_ pen: Pen) -> Bool { pen.at == storage }

  /// Makes room for at least `bytes` more.
  fileprivate func refill(_ pen: inout Pen, bytes: Int) {
    finish(&pen)
    flush()
    if bytes > capacity {
      storage.deallocate()
      capacity = bytes * 2
      storage = .allocate(capacity: capacity)
    }
    pen.at = storage
    pen.end = storage + capacity
  }
}

/// Where the next byte goes.
///
/// The writing functions do not look whether there is room: `reserve` makes it, once for each line.
struct Pen {
  let output: ByteOutput
  var at: UnsafeMutablePointer<UInt8>
  var end: UnsafeMutablePointer<UInt8>

  /// Makes sure that `bytes` more may be written.
  @inline(__always)
  mutating func reserve(_ bytes: Int) {
    if end - at < bytes { output.refill(&self, bytes: bytes) }
  }

  @inline(__always)
  mutating func put(_ byte: UInt8) {
    at.pointee = byte
    at += 1
  }

  /// Writes bytes that lie in memory with at least 15 readable ones after them: sixteen at a time,
  /// for names are short and a call of `memcpy` is not free.
  @inline(__always)
  mutating func put(padded source: UnsafePointer<UInt8>, count: Int) {
    var offset = 0
    repeat {
      let lane = UnsafeRawPointer(source + offset).loadUnaligned(as: SIMD16<UInt8>.self)
      UnsafeMutableRawPointer(at + offset).storeBytes(of: lane, as: SIMD16<UInt8>.self)
      offset += 16
    } while offset < count
    at += count
  }

  /// Writes bytes.
  @inline(__always)
  mutating func put(_ source: UnsafeBufferPointer<UInt8>) {
    guard let base = source.baseAddress else { return }
    at.update(from: base, count: source.count)
    at += source.count
  }

  /// Writes a constant.
  @inline(__always)
  mutating func put(_ text: StaticString) {
    at.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    at += text.utf8CodeUnitCount
  }

  /// Writes text, however long, and makes the room that it needs.
  mutating func write(_ text: String) {
    var text = text
    text.withUTF8 {
      reserve($0.count)
      put($0)
    }
  }
}
