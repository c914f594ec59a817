internal import VarveProbe

/// The encoding of definitions, in the file's definition blocks and in the sidecar's logs alike.
/// `Docs/Format.md` has the tables.
///
/// Each definition is self-contained: it can be found, checked, and skipped without knowing its
/// kind.
public enum DefinitionCodec {
  /// The largest size of a definition in bytes. Longer texts are cut.
  public static let largest = 65_536

  package enum Layout {
    package static let length = LayoutField(0, 4)
    package static let checksum = LayoutField(4, 4)
    package static let kind = LayoutField(8, 1)
    package static let flags = LayoutField(9, 1)
    package static let absorbs = LayoutField(10, 1)
    package static let id = LayoutField(12, 4)
    /// The position of the first field that depends on the kind.
    package static let end = 16
    package static let streamBorn = LayoutField(16, 8)
    package static let threadSystemID = LayoutField(16, 8)
    package static let moduleBias = LayoutField(16, 8)
    package static let moduleStart = LayoutField(24, 8)
    package static let moduleEnd = LayoutField(32, 8)
    package static let symbolAddress = LayoutField(16, 8)
    package static let processStarted = LayoutField(16, 8)
  }

  static let longestText = 8_192
  static let mostParents = 4_096
  static let mostFrames = 1_024
  static let mostFunctions = 64
  static let longestBuildID = 64

  package enum Kind {
    package static let stream: UInt8 = 1
    package static let scheduler: UInt8 = 2
    package static let thread: UInt8 = 3
    package static let stack: UInt8 = 4
    package static let module: UInt8 = 5
    package static let symbol: UInt8 = 6
    package static let taskTemplate: UInt8 = 7
    package static let process: UInt8 = 8
  }

  enum Flag {
    static let place: UInt8 = 1
    static let derivation: UInt8 = 2
    static let stack: UInt8 = 4
    static let traits: UInt8 = 8
  }

  /// Appends a definition to `bytes`, padded to a multiple of 8 bytes.
  public static func append(_ definition: TraceDefinition, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: Layout.end))
    switch definition {
    case .stream(let stream): append(stream, to: &bytes, start: start)
    case .scheduler(let scheduler):
      bytes[start + Layout.kind.offset] = Kind.scheduler
      bytes.replace(at: start + Layout.id.offset, little: scheduler.id)
      bytes.append(text: scheduler.name, most: longestText)
    case .thread(let thread):
      bytes[start + Layout.kind.offset] = Kind.thread
      bytes.replace(at: start + Layout.id.offset, little: thread.ring)
      bytes.append(little: thread.systemID)
      bytes.append(text: thread.name, most: longestText)
    case .stack(let stack): append(stack, to: &bytes, start: start)
    case .module(let module): append(module, to: &bytes, start: start)
    case .symbol(let symbol): append(symbol, to: &bytes, start: start)
    case .taskTemplate(let template): append(template, to: &bytes, start: start)
    case .process(let process): append(process, to: &bytes, start: start)
    }
    bytes.append(contentsOf: repeatElement(0, count: -(bytes.count - start) & 7))
    seal(&bytes, start: start)
  }

  private static func append(_ stream: StreamDefinition, to bytes: inout [UInt8], start: Int) {
    bytes[start + Layout.kind.offset] = Kind.stream
    bytes[start + Layout.flags.offset] =
      (stream.place == nil ? 0 : Flag.place) | (stream.isNamed ? Flag.derivation : 0)
      | (stream.stack == 0 ? 0 : Flag.stack) | (stream.traits == nil ? 0 : Flag.traits)
    bytes[start + Layout.absorbs.offset] = stream.absorbs?.rawValue ?? 0
    bytes.replace(at: start + Layout.id.offset, little: stream.id)
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
    if stream.stack != 0 { bytes.append(varint: UInt64(stream.stack)) }
    if let traits = stream.traits { bytes.append(varint: UInt64(traits.rawValue)) }
  }

  private static func seal(_ bytes: inout [UInt8], start: Int) {
    let length = bytes.count - start
    let sum = bytes.withUnsafeBytes {
      VarveFormat.checksum(UnsafeRawBufferPointer(rebasing: $0[(start + Layout.kind.offset)...]))
    }
    bytes.replace(at: start + Layout.length.offset, little: UInt32(length))
    bytes.replace(at: start + Layout.checksum.offset, little: sum)
  }
}
