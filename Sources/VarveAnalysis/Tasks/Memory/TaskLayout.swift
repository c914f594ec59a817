/// Where the runtime keeps what in a task, for the layout that is known: version 1, of Swift 6.1 and
/// later.
///
/// The runtime tells its version and the size of a task; nothing is read of another layout.
enum TaskLayout {
  /// The variables of the runtime that are asked for.
  static let metadataSymbol = "_swift_concurrency_debug_asyncTaskMetadata"
  static let versionSymbol = "_swift_concurrency_debug_internal_layout_version"
  static let sizeSymbol = "_swift_concurrency_debug_asyncTaskSize"

  static let version: UInt32 = 1
  static let size: UInt64 = 208

  // A task.
  static let flags: UInt64 = 32
  static let idLow: UInt64 = 36
  static let resume: UInt64 = 56
  static let context: UInt64 = 64
  static let status: UInt64 = 96
  static let records: UInt64 = 104
  static let idHigh: UInt64 = 144
  /// The task that a child belongs to; follows the task itself.
  static let parent: UInt64 = 208

  // A record of a task's status: its kind is the lowest byte of its first word.
  static let recordKindMask: UInt64 = 0xff
  static let recordNext: UInt64 = 8
  static let recordDependency: UInt64 = 0
  static let recordName: UInt64 = 6
  static let recordValue: UInt64 = 16
  static let dependencyKind: UInt64 = 32

  // The context of an asynchronous function.
  static let contextResume: UInt64 = 8

  /// The bits of a task's flags.
  enum Flag {
    static let kindMask: UInt32 = 0xff
    static let priorityShift: UInt32 = 8
    static let child: UInt32 = 1 << 24
    static let groupChild: UInt32 = 1 << 26
    static let asyncLet: UInt32 = 1 << 28
  }

  /// The bits of a task's status.
  enum Status {
    static let cancelled: UInt32 = 0x100
    static let running: UInt32 = 0x800
    static let enqueued: UInt32 = 0x1000
    static let complete: UInt32 = 0x2000
    static let depends: UInt32 = 0x4000
  }
}
