internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Where work ran: for each thread, the work on schedulers and the waits within each other, and the
/// time that each took without what was within it.
struct WorkStacks {
  /// A piece of work within another, or a thread.
  struct Node {
    var frame: Int
    var parent: Int?
    /// Nanoseconds.
    var time: UInt64 = 0
  }

  private struct Running {
    var number: UInt64
    var node: Int
    var began: UInt64
    /// The time of the work within it.
    var inner: UInt64 = 0
  }

  private enum Frame: Hashable {
    case thread(UInt32), scheduler(UInt32), wait(UInt32)
  }

  private struct Edge: Hashable {
    var parent: Int?
    var frame: Int
  }

  private(set) var names: [String] = []
  private(set) var nodes: [Node] = []
  private var frames: [Frame: Int] = [:]
  private var edges: [Edge: Int] = [:]
  private var stacks: [UInt32: [Running]] = [:]
  private var last: UInt64 = 0
  private let words: TraceWords

  private static let nodeBytes = 192
  private static let runningBytes = 64
  /// A wait among the work of a thread: no work has such a number.
  private static let wait: UInt64 = 1 << 63

  init(_ words: TraceWords) { self.words = words }

  mutating func write(_ event: TraceEvent) {
    last = UInt64(max(words.nanoseconds(event.ticks), 0))
    switch event.kind {
    case .hopBegan: begin(.scheduler(event.stream), event.subscription, event.ring)
    case .hopEnded: end(event.subscription, event.ring)
    case .waitBegan: begin(.wait(event.stream), Self.wait | event.name.sequence, event.ring)
    case .waitEnded:
      if let began = event.causes.first { end(Self.wait | began.sequence, event.ring) }
    default: break
    }
  }

  /// Takes work that did not end as running until the last event.
  mutating func end() {
    for ring in stacks.keys.sorted() {
      if let first = stacks[ring]?.first { end(first.number, ring) }
    }
  }

  private mutating func begin(_ frame: Frame, _ number: UInt64, _ ring: UInt32) {
    let outer = stacks[ring]?.last?.node ?? node(.thread(ring), in: nil)
    guard let outer, let node = node(frame, in: outer),
      words.walk.take(Self.runningBytes, or: .work)
    else { return }
    stacks[ring, default: []].append(Running(number: number, node: node, began: last))
  }

  private mutating func end(_ number: UInt64, _ ring: UInt32) {
    guard stacks[ring]?.contains(where: { $0.number == number }) == true else { return }
    while let one = stacks[ring]?.popLast() {
      words.walk.giveBack(Self.runningBytes)
      let time = last - min(one.began, last)
      nodes[one.node].time &+= time - min(one.inner, time)
      if let place = stacks[ring]?.indices.last { stacks[ring]?[place].inner &+= time }
      if one.number == number { break }
    }
  }

  private mutating func node(_ frame: Frame, in parent: Int?) -> Int? {
    guard let number = number(of: frame) else { return nil }
    let edge = Edge(parent: parent, frame: number)
    if let known = edges[edge] { return known }
    guard words.walk.take(Self.nodeBytes, or: .work) else { return nil }
    nodes.append(Node(frame: number, parent: parent))
    edges[edge] = nodes.count - 1
    return nodes.count - 1
  }

  private mutating func number(of frame: Frame) -> Int? {
    if let known = frames[frame] { return known }
    let name =
      switch frame {
      case .thread(let ring): words.thread(ring)
      case .scheduler(let id): words.scheduler(id)
      case .wait(0): "waits"
      case .wait(let stream): "waits for \(words.stream(stream))"
      }
    guard words.walk.take(Self.nodeBytes + name.utf8.count, or: .work) else { return nil }
    names.append(name)
    frames[frame] = names.count - 1
    return names.count - 1
  }

  /// Returns the frames from the thread to a node.
  func frames(of node: Int) -> [Int] {
    var found: [Int] = []
    var next: Int? = node
    while let one = next {
      found.append(nodes[one].frame)
      next = nodes[one].parent
    }
    return found.reversed()
  }
}
