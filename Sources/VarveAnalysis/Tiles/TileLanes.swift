internal import VarveFormat
internal import VarveProbe

/// The lanes of the viewer: streams, schedulers for the work given to them, threads for what happened
/// outside all streams, and tasks. They are numbered from 0.
public struct TileLanes: Sendable {
  /// What a lane stands for.
  public enum Lane: Hashable, Sendable {
    /// The events of a stream.
    case stream(UInt32)
    /// The work of a scheduler.
    case scheduler(UInt32)
    /// What a thread, given by its ring, did outside all streams.
    case thread(UInt32)
    /// The life of a task, given by its number. No event is counted there: its runs are events of
    /// schedulers.
    case task(UInt64)
  }

  /// The lanes in the order of their numbers.
  public private(set) var all: [Lane] = []
  private var numbers: [Lane: Int] = [:]
  /// The lanes of streams and schedulers with small IDs; -1 for none.
  package private(set) var ofStreams: [Int32] = []
  package private(set) var ofSchedulers: [Int32] = []

  private static let mostDense = 1 << 20

  /// Numbers lanes, each of which occurs once.
  public init(_ lanes: [Lane]) { for lane in lanes { add(lane) } }

  /// The lane's number; nil if it is none of these.
  public subscript(lane: Lane) -> Int? { numbers[lane] }

  /// Adds a lane behind the others, unless it is there.
  public mutating func add(_ lane: Lane) {
    guard numbers[lane] == nil else { return }
    let number = Int32(all.count)
    numbers[lane] = all.count
    all.append(lane)
    switch lane {
    case .stream(let id): Self.set(id, number, in: &ofStreams)
    case .scheduler(let id): Self.set(id, number, in: &ofSchedulers)
    case .thread, .task: return
    }
  }

  private static func set(_ id: UInt32, _ number: Int32, in dense: inout [Int32]) {
    guard id < mostDense else { return }
    let missing = Int(id) + 1 - dense.count
    if missing > 0 { dense.append(contentsOf: repeatElement(-1, count: missing)) }
    dense[Int(id)] = number
  }

  /// Returns the lane of an event.
  public func lane(of event: TraceEvent) -> Int? {
    if event.isHop { return numbers[.scheduler(event.stream)] }
    return numbers[event.stream == 0 ? .thread(event.ring) : .stream(event.stream)]
  }

  /// Returns the lane of an event of a kind, -1 for none.
  func lane(isHop: Bool, id: UInt32, ring: UInt32) -> Int32 {
    let lane: Lane = isHop ? .scheduler(id) : id == 0 ? .thread(ring) : .stream(id)
    return numbers[lane].map { Int32($0) } ?? -1
  }
}

/// Finds the lanes of the events of decoded blocks, with a table for small IDs.
struct LaneFinder {
  private let lanes: TileLanes
  /// The lane for each ID: first as a stream, then as a scheduler.
  private var table: [Int32]
  private let width: Int
  private var ring: UInt32 = 0
  /// 1 for kinds that refer to a scheduler.
  private static let isHop: [UInt8] = (0...255).map {
    RecordKind(rawValue: UInt8($0))?.isHop == true ? 1 : 0
  }

  init(_ lanes: TileLanes) {
    self.lanes = lanes
    let width = max(lanes.ofStreams.count, lanes.ofSchedulers.count, 1)
    self.width = width
    table = [Int32](repeating: -1, count: 2 * width)
    for (id, lane) in lanes.ofStreams.enumerated() { table[id] = lane }
    for (id, lane) in lanes.ofSchedulers.enumerated() { table[width + id] = lane }
  }

  /// Lends the times, lanes and kinds of a range of a block's events one by one, until `body`
  /// returns false. The lane is -1 for events that have none.
  ///
  /// - Returns: the index of the event that `body` did not want.
  @inline(__always)
  mutating func forEach(
    _ columns: borrowing EventColumns, from start: Int,
    _ body: (_ tick: UInt64, _ lane: Int, _ kind: UInt8) -> Bool
  ) -> Int {
    ring = columns.ring
    // What belongs to no stream is in the lane of its thread.
    table[0] = lanes.lane(isHop: false, id: 0, ring: ring)
    let (width, lanes, ring) = (width, lanes, ring)
    return columns.ticks.withUnsafeBufferPointer { ticks in
      columns.kinds.withUnsafeBufferPointer { kinds in
        columns.streams.withUnsafeBufferPointer { streams in
          table.withUnsafeBufferPointer { table in
            Self.isHop.withUnsafeBufferPointer { isHop in
              var index = start
              while index < ticks.count {
                let (kind, id) = (kinds[index], Int(streams[index]))
                let hop = Int(isHop[Int(kind)])
                let lane =
                  id < width
                  ? table[hop &* width &+ id]
                  : lanes.lane(isHop: hop == 1, id: UInt32(id), ring: ring)
                guard body(ticks[index], Int(lane), kind) else { return index }
                index += 1
              }
              return index
            }
          }
        }
      }
    }
  }
}
