/// The numbers of tasks: of several recordings, those of each process have the same upper bits.
enum TaskNumber {
  private static let bits: UInt64 = 36

  /// The number that a task has in its own recording.
  static func own(_ task: UInt64) -> UInt64 { task & (1 << bits - 1) }

  static func process(_ task: UInt64) -> UInt64 { task >> bits }
}
