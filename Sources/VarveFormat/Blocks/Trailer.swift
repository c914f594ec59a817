/// The last block of a finished trace: how the recording ended, and where the index is. It has no
/// payload and a fixed size, so that a reader finds it from the file's end.
package struct Trailer {
  package enum Layout {
    package static let lastIndex = LayoutField(20, 8)
    package static let events = LayoutField(28, 8)
    package static let ending = LayoutField(36, 1)
    package static let known = LayoutField(37, 1)
    package static let signal = LayoutField(40, 4)
    package static let ring = LayoutField(44, 4)
    package static let programCounter = LayoutField(48, 8)
    package static let room = LayoutField(56, 8)
    package static let end = 64
  }

  static let headerBytes = Layout.end + 4

  package enum Ending {
    package static let clean: UInt8 = 1
    package static let crashed: UInt8 = 2
    package static let killed: UInt8 = 3
  }

  private enum Known {
    static let ring: UInt8 = 1
    static let programCounter: UInt8 = 2
  }

  var lastIndex: UInt64
  var events: UInt64
  var ending: TraceEnding

  init(lastIndex: UInt64, events: UInt64, ending: TraceEnding) {
    self.lastIndex = lastIndex
    self.events = events
    self.ending = ending
  }

  init?(_ bytes: UnsafeRawBufferPointer, _ header: BlockHeader) {
    guard header.kind == BlockKind.trailer, header.headerBytes >= Self.headerBytes else {
      return nil
    }
    lastIndex = bytes.little(UInt64.self, at: Layout.lastIndex.offset)
    events = bytes.little(UInt64.self, at: Layout.events.offset)
    switch bytes[Layout.ending.offset] {
    case Ending.clean: ending = .clean
    case Ending.crashed: ending = Self.crash(bytes)
    default: ending = .killed
    }
  }

  private static func crash(_ bytes: UnsafeRawBufferPointer) -> TraceEnding {
    let known = bytes[Layout.known.offset]
    let ring = bytes.little(UInt32.self, at: Layout.ring.offset)
    let counter = bytes.little(UInt64.self, at: Layout.programCounter.offset)
    return .crashed(
      signal: bytes.little(Int32.self, at: Layout.signal.offset),
      ring: known & Known.ring != 0 ? ring : nil,
      programCounter: known & Known.programCounter != 0 ? counter : nil)
  }

  func fill(_ header: UnsafeMutableRawBufferPointer) {
    header.put(lastIndex, at: Layout.lastIndex.offset)
    header.put(events, at: Layout.events.offset)
    switch ending {
    case .clean: header.put(Ending.clean, at: Layout.ending.offset)
    case .killed, .running: header.put(Ending.killed, at: Layout.ending.offset)
    case .crashed(let signal, let ring, let counter):
      header.put(Ending.crashed, at: Layout.ending.offset)
      let known =
        (ring == nil ? 0 : Known.ring) | (counter == nil ? 0 : Known.programCounter)
      header.put(known, at: Layout.known.offset)
      header.put(signal, at: Layout.signal.offset)
      header.put(ring ?? 0, at: Layout.ring.offset)
      header.put(counter ?? 0, at: Layout.programCounter.offset)
    }
  }
}
