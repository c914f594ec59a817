import VarveProbe
import VarveTestRig

/// What a recording has of the streams of one test, which have names of their own.
struct Recorded {
  let rig: ProbeRig
  /// All records, of other tests that ran meanwhile, too, thread by thread: there may be millions.
  let all: [RigRecord]

  /// Takes the records of a recording that has ended.
  init(rig: ProbeRig) {
    self.rig = rig
    all = rig.records
  }

  /// The numbers of the streams with this name.
  func streams(_ name: String) -> Set<UInt32> {
    Set(rig.streams.filter { $0.name == name }.map(\.id))
  }

  /// The definition of the stream with this name.
  func definition(_ name: String) -> StreamDefinition? {
    rig.streams.last { $0.name == name }
  }

  /// All records of a stream, in the order of their ticks.
  func records(_ name: String, _ kinds: RecordKind...) -> [RigRecord] {
    let ids = streams(name)
    return all.filter {
      // Work is recorded with the number of its scheduler, which may be that of a stream.
      ids.contains($0.stream) && !Self.ofWork.contains($0.kind)
        && (kinds.isEmpty || kinds.contains($0.kind))
    }
    .sorted { $0.ticks < $1.ticks }
  }

  private static let ofWork: Set<RecordKind> = [
    .hopScheduled, .hopBegan, .hopEnded, .hopCancelled,
  ]

  /// The kinds of a stream's records, in the order of their ticks, without those of senders.
  func kinds(_ name: String) -> [RecordKind] {
    records(name).map(\.kind).filter { $0 != .sent }
  }

  /// The record with this reference.
  func record(_ reference: UInt64?) -> RigRecord? {
    all.first { $0.reference == reference }
  }

  /// The end reasons of a stream's subscriptions.
  func reasons(_ name: String) -> [EndReason?] {
    records(name, .ended).map { EndReason(rawValue: UInt8(truncatingIfNeeded: $0.word)) }
  }
}

struct TestFailure: Error, Equatable {}
