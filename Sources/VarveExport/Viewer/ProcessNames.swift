internal import VarveFormat

/// The processes of several recordings in one trace, whose threads have names like `shop[4711] main`.
struct ProcessNames {
  private var names: [UInt32: String] = [:]

  /// None, if all threads are of one recording.
  init(_ threads: some Sequence<ThreadDefinition>) {
    for thread in threads {
      let recording = EventName.recording(thread.ring)
      guard recording != 0, names[recording] == nil else { continue }
      // Programs may have spaces in their names, but only the number of a process ends so.
      guard let end = thread.name.firstRange(of: "] ") else { continue }
      names[recording] = String(thread.name[..<end.lowerBound]) + "]"
    }
    if names.count < 2 { names = [:] }
  }

  /// The name of a recording's process; nil if there is only one.
  subscript(recording: UInt32) -> String? { names[recording] }
}

/// The numbers of tasks: of several recordings, those of each process have the same upper bits.
enum TaskNumber {
  private static let bits: UInt64 = 36

  /// The number that a task has in its own recording.
  static func own(_ task: UInt64) -> UInt64 { task & (1 << bits - 1) }

  static func process(_ task: UInt64) -> UInt64 { task >> bits }
}
