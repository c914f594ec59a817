internal import CVarveSystem
internal import VarveProbe

/// Stacks as numbers. Each distinct stack is kept once, for the life of the process.
enum Stacks {
  /// The number of the calling code's stack; 0 if no recording is running, or if it wants no
  /// stacks.
  @inline(__always)
  static var currentIfRecorded: UInt32 { Gate.isOpen ? current(for: Gate.word) : 0 }

  /// A number for the way from where the current template scope came into force to the calling
  /// code; 0 if no recording is running, or if it wants no stacks.
  static var wayInScopeIfRecorded: UInt64 {
    Gate.isOpen && Wish(gate: Gate.word).contains(.stacks) ? vv_stack_hash_in_scope() : 0
  }

  /// Returns the number of the calling code's stack, after defining it for the recording; 0 if the
  /// recording wants no stacks.
  static func current(for gate: UInt32) -> UInt32 {
    guard Wish(gate: gate).contains(.stacks) else { return 0 }
    let stack = vv_stack_capture()
    define(stack, for: gate)
    return stack
  }

  /// Ensures that the recording knows a stack before a record refers to it. Racing threads may
  /// define it twice, which does no harm.
  static func define(_ stack: UInt32, for gate: UInt32) {
    guard let kept = vv_stack_find(stack), !vv_stack_is_defined(kept, gate >> 8) else { return }
    Probe.receiver?.define(stack: stack)
    vv_stack_mark_defined(kept, gate >> 8)
  }

  /// Returns the frames of a stack, innermost first.
  static func frames(of stack: UInt32) -> [StackFrame] {
    guard let kept = vv_stack_find(stack) else { return [] }
    return withUnsafeBytes(of: kept.pointee.addresses) { bytes in
      bytes.bindMemory(to: UInt.self).prefix(Int(kept.pointee.count))
        .map { StackFrame(word: UInt64($0)) }
    }
  }

  /// Returns the calling code's frames, innermost first.
  static func walk() -> [StackFrame] {
    var words = [UInt](repeating: 0, count: 256)
    let count = Int(vv_stack_walk(&words, nil, Int32(words.count)))
    return words.prefix(count).map { StackFrame(word: UInt64($0)) }
  }
}
