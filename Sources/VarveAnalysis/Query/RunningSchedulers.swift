internal import VarveFormat
internal import VarveProbe

/// The scheduler whose work each thread was running, event by event.
///
/// Of the trace, it remembers what each thread was doing where a block begins. The block of an event that
/// is asked about is read once more, and kept for the questions about the next ones.
public final class RunningSchedulers {
  /// What was passed over because it would have taken too much memory.
  public var passedOver: PassedOver { work?.passedOver ?? PassedOver() }

  private let work: WorkAtBlocks?
  private let read: (EventName, inout EventColumns) -> Bool
  private var columns = EventColumns()

  /// The changes in a block.
  private struct Block {
    var events: ClosedRange<UInt64>
    var changes: SchedulerChanges
    var bytes: Int
  }

  /// The block of each ring about which was asked last.
  private var blocks: [UInt32: Block] = [:]
  private var bytes = 0

  /// The memory for blocks that are kept, in bytes: enough for those of some hundred threads.
  private static let mostBytes = 4 << 20

  /// Reads the beginnings and ends of work in a trace.
  public init(in source: some EventSource) {
    // The selection names no event, so it cannot fail.
    work = try? WorkAtBlocks(in: source)
    read = { event, columns in
      guard let block = source.block(of: event) else { return false }
      let wanted: ColumnSet = [.kinds, .streams, .subscriptions]
      columns.ring = source.blocks[block].ring
      columns.firstSequence = source.blocks[block].firstSequence
      return (try? source.decode(block, into: &columns, columns: wanted)) != nil
    }
  }

  /// Returns the scheduler whose work a thread was running when it wrote an event; 0 for none.
  public func scheduler(ring: UInt32, sequence: UInt64) -> UInt32 {
    if let block = blocks[ring], block.events.contains(sequence) {
      return block.changes.scheduler(at: sequence)
    }
    let name = EventName(ring: ring, sequence: sequence)
    guard let work, read(name, &columns), columns.count > 0 else { return 0 }
    let block = block(work.work(of: ring, at: columns.firstSequence))
    bytes += block.bytes - (blocks[ring]?.bytes ?? 0)
    if bytes > Self.mostBytes {
      blocks.removeAll()
      bytes = block.bytes
    }
    blocks[ring] = block
    return block.changes.scheduler(at: sequence)
  }

  /// Follows a thread through the block whose columns were read.
  private func block(_ before: ThreadWork) -> Block {
    var (work, changes) = (before, SchedulerChanges())
    let first = columns.firstSequence
    var bytes = changes.append(sequence: first, scheduler: work.scheduler)
    columns.withPointers { columns in
      for index in columns.kinds.indices where work.follow(columns, index) {
        // An end is still part of the work.
        let isEnd = columns.kinds[index] == RecordKind.hopEnded.rawValue
        bytes += changes.append(
          sequence: first + UInt64(index) + (isEnd ? 1 : 0), scheduler: work.scheduler)
      }
    }
    let last = first + UInt64(columns.count - 1)
    return Block(events: first...last, changes: changes, bytes: bytes)
  }
}
