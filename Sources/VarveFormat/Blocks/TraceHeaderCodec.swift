/// The encoding of a trace's header. The first 16 bytes and the checksum at the end have the same
/// positions in all versions.
package enum TraceHeaderCodec {
  package enum Layout {
    package static let magic = LayoutField(0, 8)
    package static let major = LayoutField(8, 2)
    package static let minor = LayoutField(10, 2)
    package static let headerBytes = LayoutField(12, 4)
    package static let idLow = LayoutField(16, 8)
    package static let idHigh = LayoutField(24, 8)
    package static let clock = LayoutField(32, 1)
    package static let pid = LayoutField(36, 4)
    package static let ticksPerSecond = LayoutField(40, 8)
    package static let anchorTicks = LayoutField(48, 8)
    package static let anchorMonotonic = LayoutField(56, 8)
    package static let started = LayoutField(64, 8)
    /// The position of the texts: program, host, arguments.
    package static let end = 72
  }

  /// 0x89, "VARVE", CR, LF: no text file begins like this, and a transfer in text mode breaks it.
  static let magic: [UInt8] = [0x89, 0x56, 0x41, 0x52, 0x56, 0x45, 0x0d, 0x0a]

  static let longestText = 4_096
  static let mostArguments = 1_024
  static let argumentBytes = 32_768

  package enum Clock {
    package static let monotonic: UInt8 = 1
    package static let byHand: UInt8 = 2
    package static let counter: UInt8 = 3
  }

  static func encode(_ header: TraceHeader) -> [UInt8] {
    var bytes = magic
    bytes.append(contentsOf: repeatElement(0, count: Layout.end - magic.count))
    bytes.replace(at: Layout.major.offset, little: header.version.major)
    bytes.replace(at: Layout.minor.offset, little: header.version.minor)
    bytes.replace(at: Layout.idLow.offset, little: header.id.low)
    bytes.replace(at: Layout.idHigh.offset, little: header.id.high)
    let (clock, rate) = encode(header.clock)
    bytes[Layout.clock.offset] = clock
    bytes.replace(at: Layout.ticksPerSecond.offset, little: rate)
    bytes.replace(at: Layout.pid.offset, little: header.process.pid)
    bytes.replace(at: Layout.anchorTicks.offset, little: header.anchor.ticks)
    bytes.replace(at: Layout.anchorMonotonic.offset, little: header.anchor.monotonic)
    bytes.replace(at: Layout.started.offset, little: header.process.started)
    bytes.append(text: header.process.program, most: longestText)
    bytes.append(text: header.process.host, most: longestText)
    appendArguments(header.process.arguments, to: &bytes)
    bytes.replace(at: Layout.headerBytes.offset, little: UInt32(bytes.count + 4))
    bytes.append(little: bytes.withUnsafeBytes { checksum($0) })
    return bytes
  }

  /// Appends the beginning of the command line, as far as it fits.
  private static func appendArguments(_ arguments: [String], to bytes: inout [UInt8]) {
    var room = argumentBytes
    let kept = arguments.prefix(mostArguments).prefix { argument in
      room -= min(argument.utf8.count, longestText) + 2
      return room >= 0
    }
    bytes.append(varint: UInt64(kept.count))
    for argument in kept { bytes.append(text: argument, most: longestText) }
  }

  private static func encode(_ clock: TraceClock) -> (kind: UInt8, ticksPerSecond: UInt64) {
    switch clock {
    case .monotonic: (Clock.monotonic, 1_000_000_000)
    case .byHand: (Clock.byHand, 1_000_000_000)
    case .counter(let perSecond): (Clock.counter, perSecond)
    }
  }

  /// The result of reading a header.
  enum Outcome {
    case header(TraceHeader, bytes: Int)
    case newer(TraceVersion)
    /// The bytes begin like a trace, and then contradict themselves.
    case damaged
    /// The bytes are the beginning of a header that was cut off.
    case cut
    case notATrace
  }

  /// Reads the header at the beginning of a file.
  static func decode(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    guard !bytes.isEmpty, zip(bytes, magic).allSatisfy({ $0 == $1 }) else { return .notATrace }
    guard bytes.count >= Layout.idLow.offset else { return .cut }
    let length = Int(bytes.little(UInt32.self, at: Layout.headerBytes.offset))
    guard length >= Layout.idLow.offset + 4, length <= TraceLimits.headerBytes else {
      return .damaged
    }
    guard length <= bytes.count else { return .cut }
    let whole = UnsafeRawBufferPointer(rebasing: bytes[..<(length - 4)])
    guard checksum(whole) == bytes.little(UInt32.self, at: length - 4) else { return .damaged }
    let version = TraceVersion(
      major: whole.little(UInt16.self, at: Layout.major.offset),
      minor: whole.little(UInt16.self, at: Layout.minor.offset))
    guard version.major <= TraceVersion.current.major else { return .newer(version) }
    do throws(MalformedBytes) {
      return .header(try fields(whole, version: version), bytes: length)
    } catch {
      return .damaged
    }
  }

  private static func fields(_ bytes: UnsafeRawBufferPointer, version: TraceVersion)
    throws(MalformedBytes) -> TraceHeader
  {
    guard bytes.count >= Layout.end, version.major >= 1 else { throw MalformedBytes(offset: 0) }
    func word(_ field: LayoutField) -> UInt64 { bytes.little(UInt64.self, at: field.offset) }
    var texts = ByteCursor(UnsafeRawBufferPointer(rebasing: bytes[Layout.end...]))
    let program = try texts.takeText()
    let host = try texts.takeText()
    var arguments: [String] = []
    for _ in 0..<(try texts.takeCount(most: mostArguments)) {
      arguments.append(try texts.takeText())
    }
    let process = ProcessDescription(
      program: program, arguments: arguments,
      pid: bytes.little(UInt32.self, at: Layout.pid.offset), host: host,
      started: word(Layout.started))
    var header = TraceHeader(
      id: TraceID(low: word(Layout.idLow), high: word(Layout.idHigh)), process: process,
      clock: try clock(bytes[Layout.clock.offset], rate: word(Layout.ticksPerSecond)),
      anchor: ClockAnchor(
        ticks: word(Layout.anchorTicks), monotonic: word(Layout.anchorMonotonic)))
    header.version = version
    return header
  }

  private static func clock(_ kind: UInt8, rate: UInt64) throws(MalformedBytes) -> TraceClock {
    switch kind {
    case Clock.monotonic: return .monotonic
    case Clock.byHand: return .byHand
    case Clock.counter: return .counter(perSecond: rate)
    default: throw MalformedBytes(offset: Layout.clock.offset)
    }
  }
}
