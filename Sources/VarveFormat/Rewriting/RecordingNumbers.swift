/// The numbers of the recordings in a merged trace, in the order of their start. If there are
/// several, a recording's number is the upper eight bits of its rings' IDs, and precedes the names
/// of its events: `2:4.1749`.
struct RecordingNumbers {
  private struct Key: Hashable {
    var recording: Int
    /// The number that a recording has in a trace that is itself the result of a merge.
    var part: UInt32
  }

  /// The largest number that fits into eight bits.
  static let most = 255

  private var numbers: [Key: UInt32] = [:]

  /// - Parameter recordings: For each trace, the first one that is a file of the same recording.
  init(_ readers: [TraceReader], _ recordings: [Int]) {
    var found: Set<Key> = []
    for (reader, recording) in zip(readers, recordings) {
      var parts = Set(reader.blocks.map { EventName.recording($0.ring) })
      parts.formUnion(reader.definitions.threads.keys.map(EventName.recording))
      parts.formUnion(reader.definitions.processes.keys)
      for part in parts { found.insert(Key(recording: recording, part: part)) }
    }
    guard found.count > 1 else { return }
    let order = found.sorted { one, other in
      (readers[one.recording].header.process.started, one.recording, one.part)
        < (readers[other.recording].header.process.started, other.recording, other.part)
    }
    for (index, key) in order.enumerated() { numbers[key] = UInt32(index + 1) }
  }

  /// Whether there are more recordings than numbers.
  var areTooMany: Bool { numbers.count > Self.most }

  /// Returns the ID of a ring in the merged trace. Losses of threads without a ring stay with ring
  /// 0.
  func ring(_ ring: UInt32, of recording: Int) -> UInt32 {
    guard ring != 0,
      let number = numbers[Key(recording: recording, part: EventName.recording(ring))]
    else { return ring }
    return number << 24 | ring & EventName.ringBits
  }
}
