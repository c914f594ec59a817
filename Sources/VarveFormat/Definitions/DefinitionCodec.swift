internal import VarveProbe

/// How definitions are written, in the file's definition blocks and in the sidecar's logs alike.
///
///     OFFSET SIZE DESCRIPTION
///       0     4   length of the whole definition, a multiple of 8; 0 where a log ends
///       4     4   CRC-32 of the bytes from 8 to the end
///       8     1   kind: 1 stream, 2 scheduler, 3 thread
///       9     1   streams: bit 0 a place follows, bit 1 a derivation follows
///      10     1   streams: an AbsorptionReason, or 0
///      11     1   0
///      12     4   id; of threads, the ring's
///      16     …   the kind's own fields, then zeros up to the length
///
/// Each definition stands alone: it can be found, checked and passed over without knowing its kind.
public enum DefinitionCodec {
  /// A definition's largest size in bytes. Longer texts are cut.
  public static let largest = 65_536

  static let headBytes = 16
  static let longestText = 8_192
  static let mostParents = 4_096

  enum Kind {
    static let stream: UInt8 = 1
    static let scheduler: UInt8 = 2
    static let thread: UInt8 = 3
  }

  enum Flag {
    static let place: UInt8 = 1
    static let derivation: UInt8 = 2
  }

  /// Appends a definition to `bytes`. What is appended is a multiple of 8 bytes long.
  public static func append(_ definition: TraceDefinition, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: headBytes))
    switch definition {
    case .stream(let stream): append(stream, to: &bytes, start: start)
    case .scheduler(let scheduler):
      bytes[start + 8] = Kind.scheduler
      bytes.replace(at: start + 12, little: scheduler.id)
      bytes.append(text: scheduler.name, most: longestText)
    case .thread(let thread):
      bytes[start + 8] = Kind.thread
      bytes.replace(at: start + 12, little: thread.ring)
      bytes.append(little: thread.systemID)
      bytes.append(text: thread.name, most: longestText)
    }
    bytes.append(contentsOf: repeatElement(0, count: -(bytes.count - start) & 7))
    seal(&bytes, start: start)
  }

  private static func append(_ stream: StreamDefinition, to bytes: inout [UInt8], start: Int) {
    bytes[start + 8] = Kind.stream
    bytes[start + 9] =
      (stream.place == nil ? 0 : Flag.place) | (stream.isNamed ? Flag.derivation : 0)
    bytes[start + 10] = stream.absorbs?.rawValue ?? 0
    bytes.replace(at: start + 12, little: stream.id)
    bytes.append(little: stream.born)
    let parents = stream.parents.prefix(mostParents)
    bytes.append(varint: UInt64(parents.count))
    for parent in parents { bytes.append(varint: UInt64(parent)) }
    bytes.append(text: stream.name, most: longestText)
    if stream.isNamed { bytes.append(text: stream.derivation, most: longestText) }
    bytes.append(text: stream.operation, most: longestText)
    bytes.append(text: stream.valueType, most: longestText)
    if let place = stream.place {
      bytes.append(text: place.file, most: longestText)
      bytes.append(varint: UInt64(place.line))
    }
  }

  private static func seal(_ bytes: inout [UInt8], start: Int) {
    let length = bytes.count - start
    let sum = bytes.withUnsafeBytes {
      checksum(UnsafeRawBufferPointer(rebasing: $0[(start + 8)...]))
    }
    bytes.replace(at: start, little: UInt32(length))
    bytes.replace(at: start + 4, little: sum)
  }
}
