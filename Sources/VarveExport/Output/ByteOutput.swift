/// An output of bytes with one buffer that is used again and again.
///
/// A renderer takes a `Pen`, writes line after line through its pointer, and gives it back. A line
/// needs no allocation and no string, which makes ten million lines per second possible.
public final class ByteOutput {
  /// Takes a full buffer; returns the system's error number on failure.
  public typealias Sink = (UnsafeRawBufferPointer) -> Int32?

  /// The error that stopped the output: the reader has gone, or the disk is full.
  public private(set) var systemError: Int32?

  private let sink: Sink
  /// Writes full buffers on another thread, if that was asked for.
  private let behind: WriteBehind?
  /// Whether the buffer grows and keeps all that is written.
  private let keeps: Bool
  // Safety: an output belongs to the one that writes to it, and no method here calls out while it
  // changes one of these.
  @exclusivity(unchecked) private var storage: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var capacity: Int
  @exclusivity(unchecked) private var filled = 0
  /// The buffer that is being written, or has been, where that is done on another thread.
  private var other: (storage: UnsafeMutablePointer<UInt8>, capacity: Int)?

  /// The size of a buffer that is written on another thread. Of a file, the system writes 128 KiB
  /// at once in half the time that it needs for 64 KiB twice.
  private static let bytesBehind = 1 << 17

  /// Creates an output with a buffer of `capacity` bytes.
  public init(capacity: Int = 1 << 16, sink: @escaping Sink) {
    self.sink = sink
    self.capacity = capacity
    behind = nil
    keeps = false
    storage = .allocate(capacity: capacity)
  }

  /// Creates an output with two buffers: while one is filled, the sink is called with the other
  /// one, on another thread. What is flushed has been written; an error while writing shows one
  /// buffer later.
  public init(writingBehind sink: @escaping Sink) {
    self.sink = sink
    capacity = Self.bytesBehind
    behind = WriteBehind(sink)
    keeps = false
    storage = .allocate(capacity: capacity)
  }

  /// Creates an output that keeps what is written to it. It begins with `capacity` bytes of memory.
  init(keeping capacity: Int) {
    sink = { _ in nil }
    self.capacity = capacity
    behind = nil
    keeps = true
    storage = .allocate(capacity: capacity)
  }

  deinit {
    _ = behind?.wait()
    storage.deallocate()
    other?.storage.deallocate()
  }

  /// Whether the output still writes; false once the sink has failed.
  public var isOpen: Bool { systemError == nil }

  /// Passes the buffered bytes to the sink.
  public func flush() {
    defer { filled = 0 }
    waitForOther()
    guard filled > 0, isOpen else { return }
    systemError = sink(UnsafeRawBufferPointer(start: storage, count: filled))
  }

  /// Waits for what is being written on another thread.
  private func waitForOther() {
    if let error = behind?.wait() { systemError = error }
  }

  /// Passes the buffer on and goes on with an empty one.
  private func turn() {
    guard let behind else { return flush() }
    waitForOther()
    defer { filled = 0 }
    guard filled > 0, isOpen else { return }
    behind.write(UnsafeRawBufferPointer(start: storage, count: filled))
    let written = (storage, capacity)
    (storage, capacity) = other ?? (.allocate(capacity: Self.bytesBehind), Self.bytesBehind)
    other = written
  }

  /// What was kept.
  var kept: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: storage, count: filled) }

  /// Forgets what was kept.
  func clear() { filled = 0 }

  /// Writes text.
  public func write(_ text: String) {
    var pen = pen()
    pen.write(text)
    finish(&pen)
  }

  /// Writes bytes.
  func write(bytes: [UInt8]) {
    var pen = pen()
    bytes.withUnsafeBufferPointer { pen.write($0) }
    finish(&pen)
  }

  /// Writes bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) {
    var pen = pen()
    pen.write(bytes.assumingMemoryBound(to: UInt8.self))
    finish(&pen)
  }

  /// Lends the rest of the buffer.
  func pen() -> Pen { Pen(output: self, at: storage + filled, end: storage + capacity) }

  /// Takes back a pen with what it wrote.
  func finish(_ pen: inout Pen) { filled = pen.at - storage }

  /// Returns whether a pen is at the start of the buffer.
  func isAtStart(_ pen: Pen) -> Bool { pen.at == storage }

  /// Returns the number of bytes that are kept before a pen.
  func offset(of pen: Pen) -> Int { pen.at - storage }

  /// Makes room for at least `bytes` more bytes.
  fileprivate func refill(_ pen: inout Pen, bytes: Int) {
    finish(&pen)
    if keeps { return grow(&pen, bytes: bytes) }
    turn()
    if bytes > capacity {
      storage.deallocate()
      capacity = bytes * 2
      storage = .allocate(capacity: capacity)
    }
    pen.at = storage
    pen.end = storage + capacity
    pen.refills += 1
  }

  private func grow(_ pen: inout Pen, bytes: Int) {
    capacity = max(capacity * 2, filled + bytes)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: storage, count: filled)
    storage.deallocate()
    storage = larger
    pen.at = storage + filled
    pen.end = storage + capacity
    pen.refills += 1
  }
}

/// A position in the buffer of an output.
///
/// The `put` methods do not check for room: call `reserve` once for each line. The `write` methods
/// make room for what they write, beyond what is reserved.
struct Pen {
  /// The number of bytes by which `put(padded:)` reads and writes too far.
  static let slack = 16

  // Safety: whoever gets a pen gives it back, so the output outlives it. A line would retain it
  // twice.
  unowned(unsafe) let output: ByteOutput
  var at: UnsafeMutablePointer<UInt8>
  var end: UnsafeMutablePointer<UInt8>
  private var reserved = 0
  /// The number of times that the buffer was passed on, after which `at` is at its start.
  fileprivate(set) var refills = 0

  init(output: ByteOutput, at: UnsafeMutablePointer<UInt8>, end: UnsafeMutablePointer<UInt8>) {
    self.output = output
    self.at = at
    self.end = end
  }

  /// Makes room for the `bytes` bytes of a line.
  @inline(__always)
  mutating func reserve(_ bytes: Int) {
    reserved = bytes
    if end - at < bytes { output.refill(&self, bytes: bytes) }
  }

  /// Makes room for `bytes` bytes beyond those that are reserved.
  mutating func extend(by bytes: Int) {
    let bytes = reserved + bytes
    if end - at < bytes { output.refill(&self, bytes: bytes) }
  }

  @inline(__always)
  mutating func put(_ byte: UInt8) {
    at.pointee = byte
    at += 1
  }

  /// Writes bytes that at least `slack` readable bytes follow in memory.
  ///
  /// It copies sixteen at a time, because names are short and a call to `memcpy` costs more.
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

  /// Writes `count` spaces; none if it is negative.
  @inline(__always)
  mutating func put(spaces count: Int) {
    var rest = count
    while rest > 0 {
      UnsafeMutableRawPointer(at).storeBytes(
        of: SIMD16(repeating: 0x20), as: SIMD16<UInt8>.self)
      at += min(rest, 16)
      rest -= 16
    }
  }

  /// Writes bytes.
  @inline(__always)
  mutating func put(_ source: UnsafeBufferPointer<UInt8>) {
    guard let base = source.baseAddress else { return }
    at.update(from: base, count: source.count)
    at += source.count
  }

  /// Writes constant text.
  @inline(__always)
  mutating func put(_ text: StaticString) {
    at.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    at += text.utf8CodeUnitCount
  }

  /// Writes text that is short or for which there is room.
  mutating func put(text: String) {
    var text = text
    text.withUTF8 { put($0) }
  }

  /// Writes text of any length.
  mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { write($0) }
  }

  /// Writes any number of bytes.
  mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
    extend(by: bytes.count)
    put(bytes)
  }
}
