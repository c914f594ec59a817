public import VarveFormat
internal import VarveProbe

/// Where work was that ran for long: the samples that the recorder took of it.
public struct WorkSamples: Sendable {
  /// What is known of one piece of work.
  public struct Sampled: Sendable {
    /// The first sample.
    public var event: EventName
    /// The stacks of the samples, each once, the first one first.
    public var stacks: [UInt32]
    /// Whether its thread waited in a system call when the last one was taken.
    public var waits: Bool
    /// The thread that held the lock which its thread waited for then, by the system's number; 0 if
    /// it waited for something else, or that is unknown.
    public var holder: UInt64

    /// The line to look at. Of code that waits, it is where it does. Of code that computes, it is the
    /// call by which the function that the scheduler runs came to it: what the function calls may be
    /// as it should, but elsewhere.
    ///
    /// - Parameter scheduled: the stack of the code that went on, or that scheduled the work.
    public func place(scheduled: UInt32?) -> FindingPlace {
      waits ? .common(stacks) : .reached(stacks, from: scheduled ?? 0)
    }
  }

  /// By the id of the work.
  public private(set) var sampled: [UInt64: Sampled] = [:]

  private static let most = 4_096
  private static let mostStacks = 16

  /// Reads the samples of a trace.
  public init(_ source: some EventSource) {
    var selection = Selection()
    selection.kinds = KindSelection([.hopSampled])
    guard source.blocks.contains(where: { $0.kinds.mayContain(RecordKind.hopSampled.rawValue) }),
      var query = try? EventQuery(
        selection, in: source, columns: [.ticks, .kinds, .streams, .subscriptions, .words])
    else { return }
    query.run { page in
      page.forEach { batch, index in
        note(
          batch.columns.name(index), of: batch.columns.subscriptions[index],
          SamplePayload(word: batch.columns.words[index]))
      }
      return true
    }
  }

  private mutating func note(_ event: EventName, of hop: UInt64, _ payload: SamplePayload) {
    let stack = payload.stack
    guard stack != 0 else { return }
    if sampled[hop] == nil {
      guard sampled.count < Self.most else { return }
      sampled[hop] = Sampled(event: event, stacks: [], waits: false, holder: 0)
    }
    sampled[hop]?.waits = payload.waits
    sampled[hop]?.holder = payload.holder
    guard let known = sampled[hop]?.stacks, known.count < Self.mostStacks, !known.contains(stack)
    else { return }
    sampled[hop]?.stacks.append(stack)
  }

  /// Returns what is known of a piece of work.
  public subscript(hop: UInt64) -> Sampled? { sampled[hop] }
}
