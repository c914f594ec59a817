internal import VarveFormat

/// The system's numbers of threads, as viewers know threads.
enum SystemThreads {
  /// Returns a number for each ring. Threads of several recordings may have the same number there,
  /// and then all but those of the first get another one.
  static func numbers(_ definitions: TraceDefinitions) -> [UInt32: UInt64] {
    var owners: [UInt64: UInt32] = [:]
    var numbers: [UInt32: UInt64] = [:]
    for thread in definitions.threads.values.sorted(by: { $0.ring < $1.ring }) {
      let recording = EventName.recording(thread.ring)
      let owner = owners[thread.systemID] ?? recording
      let isUsable = 1..<0x4000_0000 ~= thread.systemID && owner == recording
      if isUsable { owners[thread.systemID] = recording }
      numbers[thread.ring] = isUsable ? thread.systemID : 0x4000_0000 | UInt64(thread.ring)
    }
    return numbers
  }
}
