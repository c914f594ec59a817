internal import VarveProbe

/// Consecutive definitions, as in a definition block or a sidecar's log.
public enum DefinitionLog {
  /// The findings in a log.
  public struct Extent: Sendable, Hashable {
    /// The number of bytes up to the end of the last definition.
    public var bytes = 0
    /// The number of definitions that could be read.
    public var definitions = 0
    /// The number of definitions skipped because their kind is unknown.
    public var unknown = 0
    /// The number of definitions skipped because they contradict their checksum.
    public var damaged = 0
    /// Whether reading stopped at bytes that are neither a definition nor the log's end.
    public var isCut = false
  }

  /// Reads definitions up to a length of 0, the end of `bytes`, or an impossible length. A
  /// definition with a wrong checksum is skipped. Nothing is read past the end.
  @discardableResult
  public static func read(
    _ bytes: UnsafeRawBufferPointer, _ receive: (TraceDefinition) -> Void
  ) -> Extent {
    var extent = Extent()
    while bytes.count - extent.bytes >= DefinitionCodec.Layout.end {
      let length = Int(bytes.little(UInt32.self, at: extent.bytes))
      if length == 0 { return extent }
      guard length >= DefinitionCodec.Layout.end, length <= DefinitionCodec.largest,
        length & 7 == 0, length <= bytes.count - extent.bytes
      else {
        extent.isCut = true
        return extent
      }
      let end = extent.bytes + length
      let whole = UnsafeRawBufferPointer(rebasing: bytes[extent.bytes..<end])
      count(whole, in: &extent, receive)
      extent.bytes = end
    }
    extent.isCut = extent.bytes < bytes.count && bytes[extent.bytes...].contains { $0 != 0 }
    return extent
  }

  /// Returns a sidecar's log without its unreadable parts. Definitions of unknown kinds stay. The
  /// log contains nothing but definitions, so a length of 0 is damage, too.
  static func sound(_ log: [UInt8]) -> (log: [UInt8], extent: Extent) {
    log.withUnsafeBytes { bytes in
      var whole = read(bytes) { _ in }
      whole.isCut = whole.bytes < bytes.count
      guard whole.damaged > 0 || whole.isCut else { return (log, whole) }
      var sound: [UInt8] = []
      var offset = 0
      while offset < whole.bytes {
        let end = offset + Int(bytes.little(UInt32.self, at: offset))
        let one = UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
        if read(one, { _ in }).damaged == 0 { sound += one }
        offset = end
      }
      return (sound, whole)
    }
  }

  /// Returns the number of bytes that the first definitions of a log take together: at most `most`,
  /// unless the first alone takes more. 0 at the log's end.
  static func extent(of bytes: UnsafeRawBufferPointer, most: Int) -> Int {
    var extent = 0
    while bytes.count - extent >= DefinitionCodec.Layout.end {
      let length = Int(bytes.little(UInt32.self, at: extent))
      guard length >= DefinitionCodec.Layout.end, length <= DefinitionCodec.largest,
        length & 7 == 0, length <= bytes.count - extent, extent == 0 || extent + length <= most
      else { break }
      extent += length
    }
    return extent
  }

  private static func count(
    _ whole: UnsafeRawBufferPointer, in extent: inout Extent, _ receive: (TraceDefinition) -> Void
  ) {
    let body = UnsafeRawBufferPointer(rebasing: whole[DefinitionCodec.Layout.kind.offset...])
    guard checksum(body) == whole.little(UInt32.self, at: DefinitionCodec.Layout.checksum.offset)
    else {
      extent.damaged += 1
      return
    }
    do throws(MalformedBytes) {
      guard let definition = try decode(body) else {
        extent.unknown += 1
        return
      }
      extent.definitions += 1
      receive(definition)
    } catch {
      extent.damaged += 1
    }
  }

  /// Decodes a definition from its kind byte on; returns nil if its kind is unknown.
  private static func decode(_ body: UnsafeRawBufferPointer) throws(MalformedBytes)
    -> TraceDefinition?
  {
    var cursor = ByteCursor(body)
    let kind = try cursor.take(UInt8.self)
    let flags = try cursor.take(UInt8.self)
    let absorbs = try cursor.take(UInt8.self)
    _ = try cursor.take(UInt8.self)
    let id = try cursor.take(UInt32.self)
    switch kind {
    case DefinitionCodec.Kind.stream:
      return .stream(try stream(id: id, flags: flags, absorbs: absorbs, from: &cursor))
    case DefinitionCodec.Kind.scheduler:
      return .scheduler(SchedulerDefinition(id: id, name: try cursor.takeText()))
    case DefinitionCodec.Kind.thread:
      let systemID = try cursor.take(UInt64.self)
      let name = try cursor.takeText()
      return .thread(ThreadDefinition(ring: id, systemID: systemID, name: name))
    case DefinitionCodec.Kind.stack: return .stack(try stack(id: id, from: &cursor))
    case DefinitionCodec.Kind.module: return .module(try module(id: id, from: &cursor))
    case DefinitionCodec.Kind.symbol: return .symbol(try symbol(from: &cursor))
    case DefinitionCodec.Kind.taskTemplate:
      return .taskTemplate(try taskTemplate(id: id, from: &cursor))
    case DefinitionCodec.Kind.process:
      return .process(try process(recording: id, from: &cursor))
    default: return nil
    }
  }

  private static func stream(
    id: UInt32, flags: UInt8, absorbs: UInt8, from cursor: inout ByteCursor
  ) throws(MalformedBytes) -> StreamDefinition {
    let born = try cursor.take(UInt64.self)
    let count = try cursor.takeCount(most: DefinitionCodec.mostParents)
    var parents: [UInt32] = []
    // A parent takes at least a byte.
    parents.reserveCapacity(min(count, cursor.remaining))
    for _ in 0..<count { parents.append(UInt32(try cursor.takeCount(most: Int(UInt32.max)))) }
    let name = try cursor.takeText()
    let derivation =
      flags & DefinitionCodec.Flag.derivation == 0 ? name : try cursor.takeText()
    let operation = try cursor.takeText()
    let valueType = try cursor.takeText()
    var place: Place?
    if flags & DefinitionCodec.Flag.place != 0 {
      let file = try cursor.takeText()
      place = Place(file: file, line: UInt32(try cursor.takeCount(most: Int(UInt32.max))))
    }
    var stack: UInt32 = 0
    if flags & DefinitionCodec.Flag.stack != 0 {
      stack = UInt32(try cursor.takeCount(most: Int(UInt32.max)))
    }
    var traits: StreamTraits?
    if flags & DefinitionCodec.Flag.traits != 0 {
      traits = StreamTraits(rawValue: UInt32(try cursor.takeCount(most: Int(UInt32.max))))
    }
    return StreamDefinition(
      id: id, name: name, derivation: derivation, operation: operation, parents: parents,
      place: place, valueType: valueType, born: born, absorbs: AbsorptionReason(rawValue: absorbs),
      traits: traits, stack: stack)
  }
}
