internal import VarveProbe

/// The streams from which values may reach a stream, nearest first.
struct Upstream {
  /// A stream on the way.
  struct Member {
    /// The stream.
    var stream: UInt32
    /// The number of streams between it and the asked one.
    var distance: Int
    /// Whether it belongs to an inner stream of a flattening, which may end while others go on.
    var isInner: Bool
    /// The stream that receives its values on the way to the asked one; nil for that one.
    var below: UInt32?
  }

  /// The asked stream and those above it.
  private(set) var members: [Member] = []
  /// The positions of streams in `members`.
  private(set) var positions: [UInt32: Int] = [:]

  /// The maximum number of streams …
  private static let most = 4_096
  /// … and of inner streams of one flattening: the newest.
  private static let mostInner = 256

  init(of stream: UInt32, in facts: SilenceFacts) {
    add(stream, 0, isInner: false, below: nil)
    var next = 0
    while next < members.count {
      let member = members[next]
      next += 1
      let inputs = facts.inputs(of: member.stream)
      let creates = facts.createsStreams(member.stream)
      for input in inputs where input.position != nil { add(input, below: member, isInner: false) }
      for input in inputs.filter({ $0.position == nil }).suffix(Self.mostInner) {
        add(input, below: member, isInner: creates)
      }
    }
  }

  private mutating func add(_ input: SilenceFacts.Input, below member: Member, isInner: Bool) {
    add(
      input.stream, member.distance + 1, isInner: isInner || member.isInner, below: member.stream)
  }

  private mutating func add(_ stream: UInt32, _ distance: Int, isInner: Bool, below: UInt32?) {
    guard positions[stream] == nil, members.count < Self.most else { return }
    positions[stream] = members.count
    members.append(Member(stream: stream, distance: distance, isInner: isInner, below: below))
  }

  /// Returns whether a stream is the asked one or above it.
  func contains(_ stream: UInt32) -> Bool { positions[stream] != nil }

  /// Returns the stream that receives another one's values on the way to the asked one.
  func below(_ stream: UInt32) -> UInt32? { positions[stream].flatMap { members[$0].below } }

  /// Returns the nearest hot streams above a stream: the sources of what it receives. A signal that
  /// no longer observes its input is none, since its observers may be gone, and not the values.
  func sources(above stream: UInt32, in facts: SilenceFacts) -> [UInt32] {
    var found: [UInt32] = []
    var seen: Set<UInt32> = [stream]
    var open = [stream]
    while let next = open.popLast() {
      for input in facts.inputs(of: next) where contains(input.stream) {
        guard seen.insert(input.stream).inserted else { continue }
        if facts.is(input.stream, .hot), !facts.isDetached(input.stream) {
          found.append(input.stream)
        } else {
          open.append(input.stream)
        }
      }
    }
    return found
  }
}
