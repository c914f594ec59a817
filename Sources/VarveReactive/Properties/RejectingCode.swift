/// The code of a validator that rejected a value, as a recording knows it.
public struct RejectingCode: Sendable {
  /// Its stack; 0 if no recording that wants stacks was running.
  let stack: UInt32

  /// Notes the calling code.
  @inline(never)
  init() { stack = Stacks.currentIfRecorded }
}
