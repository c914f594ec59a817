internal import VarveProbe

/// Where a thread is: the registers from which its stack is walked.
struct ThreadRegisters {
  /// The system's number of the thread.
  var thread: UInt64
  var counter: UInt64
  var stack: UInt64
  /// The frame pointer, if it is known.
  var frame: UInt64?
}

/// The stack of a thread, walked from its registers, and the contexts of the asynchronous functions
/// that await its innermost one.
struct ThreadStack {
  private static let mostFrames = 128
  private static let mostBytes: UInt64 = 8 << 20
  /// How far from the top of the stack the first frame of Swift code is looked for.
  private static let searched: UInt64 = 64 << 10
  /// Marks the frame of an asynchronous function, in the saved frame pointer.
  private static let asynchronous: UInt64 = 1 << 60

  private let memory: any TaskMemory
  private let code: ModuleMap

  let registers: ThreadRegisters
  private(set) var frames: [StackFrame]
  /// The outermost context, which lies in the task that runs; nil if the thread runs none.
  private(set) var outermostContext: UInt64?
  /// Whether the thread waits in a system call.
  let isBlocked: Bool

  /// Walks a stack.
  ///
  /// - Parameter isOfTask: Whether an address is that of the outermost context of a task that runs.
  init(
    _ registers: ThreadRegisters, _ memory: any TaskMemory, _ code: ModuleMap,
    isOfTask: (UInt64) -> Bool
  ) {
    self.memory = memory
    self.code = code
    self.registers = registers
    // The counter is exact, unlike a return address.
    frames = [StackFrame(address: registers.counter, isResumption: true)]
    isBlocked =
      registers.counter >= 2
      && memory.number(at: registers.counter - 2, as: UInt16.self) == 0x050f
    if let first = firstFrame() { walk(from: first, isOfTask) }
  }

  /// The system's C library is built without frame pointers: the register may hold anything, and
  /// the first frame is found by what a frame looks like.
  private func firstFrame() -> UInt64? {
    if let frame = registers.frame, isFrame(frame) { return frame }
    var at = (registers.stack &+ 7) & ~7
    let (end, overflow) = at.addingReportingOverflow(Self.searched)
    guard !overflow else { return nil }
    while at < end {
      if isFrame(at) { return at }
      at += 8
    }
    return nil
  }

  /// Returns whether an address is that of a frame: it leads to a frame further out, and both
  /// return into code.
  private func isFrame(_ frame: UInt64) -> Bool {
    guard let (next, back) = links(of: frame), code[back] != nil, next > frame,
      let (_, outer) = links(of: next)
    else { return false }
    return code[outer] != nil
  }

  private func links(of frame: UInt64) -> (next: UInt64, back: UInt64)? {
    guard frame & 7 == 0, frame >= registers.stack, frame - registers.stack < Self.mostBytes,
      let saved = memory.number(at: frame, as: UInt64.self),
      let back = memory.number(at: frame + 8, as: UInt64.self)
    else { return nil }
    return (saved & ~Self.asynchronous, back)
  }

  private mutating func walk(from first: UInt64, _ isOfTask: (UInt64) -> Bool) {
    var frame = first
    while frames.count < Self.mostFrames, let (next, back) = links(of: frame) {
      // The frame of the asynchronous function that the runtime calls keeps the function's context
      // below it. Other frames have anything there, which leads to no task.
      if let module = code[back], TaskSnapshot.isRuntime(module),
        let context = memory.pointer(at: frame &- 8), follow(context, isOfTask)
      {
        return
      }
      guard code[back] != nil else { return }
      frames.append(StackFrame(address: back))
      guard next > frame else { return }
      frame = next
    }
  }

  /// Follows contexts outwards; returns whether they end in a task.
  private mutating func follow(_ context: UInt64, _ isOfTask: (UInt64) -> Bool) -> Bool {
    var resumptions: [StackFrame] = []
    var next: UInt64? = context
    for _ in 0..<Self.mostFrames {
      guard let context = next else { return false }
      if let resume = memory.pointer(at: context &+ TaskLayout.contextResume), code[resume] != nil {
        resumptions.append(StackFrame(address: resume, isResumption: true))
      }
      if isOfTask(context) {
        outermostContext = context
        frames += resumptions
        return true
      }
      next = memory.pointer(at: context)
    }
    return false
  }
}
