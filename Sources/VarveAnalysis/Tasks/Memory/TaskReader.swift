internal import VarveProbe

/// Reads tasks by the runtime's layout. Nothing that is read is believed: a pointer may lead
/// anywhere, and a chain may have no end.
struct TaskReader {
  private static let mostFrames = 128
  private static let mostRecords = 64
  private static let longestName = 256

  private let memory: any TaskMemory
  private let code: ModuleMap

  init(_ memory: any TaskMemory) {
    self.memory = memory
    code = ModuleMap(memory.modules)
  }

  /// A task, with what it awaits still by its address.
  struct Found {
    var address: UInt64
    var state: TaskState
    var awaited: UInt64?
    var parent: UInt64?
  }

  /// Returns the task at an address; nil if there is none.
  func task(at address: UInt64) -> Found? {
    guard let flags = memory.number(at: address + TaskLayout.flags, as: UInt32.self),
      flags & TaskLayout.Flag.kindMask == 0,
      let low = memory.number(at: address + TaskLayout.idLow, as: UInt32.self),
      let high = memory.number(at: address + TaskLayout.idHigh, as: UInt32.self),
      let status = memory.number(at: address + TaskLayout.status, as: UInt32.self)
    else { return nil }
    let id = UInt64(high) << 32 | UInt64(low)
    guard id != 0 else { return nil }
    var found = Found(
      address: address,
      state: TaskState(
        id: id, priority: UInt8(truncatingIfNeeded: flags >> TaskLayout.Flag.priorityShift),
        kind: kind(flags), phase: phase(status),
        isCancelled: status & TaskLayout.Status.cancelled != 0))
    guard found.state.phase != .ended else { return found }
    guard let resume = memory.pointer(at: address + TaskLayout.resume), code[resume] != nil
    else { return nil }
    if flags & TaskLayout.Flag.child != 0 {
      found.parent = memory.pointer(at: address + TaskLayout.parent)
    }
    readRecords(of: &found)
    found.state.frames = frames(resume, memory.pointer(at: address + TaskLayout.context))
    return found
  }

  private func kind(_ flags: UInt32) -> TaskState.Kind {
    if flags & TaskLayout.Flag.asyncLet != 0 { return .asyncLet }
    if flags & TaskLayout.Flag.groupChild != 0 { return .groupChild }
    return flags & TaskLayout.Flag.child != 0 ? .child : .task
  }

  private func phase(_ status: UInt32) -> TaskState.Phase {
    if status & TaskLayout.Status.complete != 0 { return .ended }
    if status & TaskLayout.Status.running != 0 { return .running }
    return status & TaskLayout.Status.enqueued != 0 ? .enqueued : .suspended
  }

  private func readRecords(of found: inout Found) {
    var next = memory.pointer(at: found.address + TaskLayout.records)
    for _ in 0..<Self.mostRecords {
      guard let record = next, let first = memory.number(at: record, as: UInt64.self) else {
        return
      }
      switch first & TaskLayout.recordKindMask {
      case TaskLayout.recordName:
        found.state.name = memory.pointer(at: record &+ TaskLayout.recordValue).flatMap {
          memory.text(at: $0, most: Self.longestName)
        }
      case TaskLayout.recordDependency where found.state.phase == .suspended:
        found.awaited = memory.pointer(at: record &+ TaskLayout.recordValue)
        switch memory.number(at: record &+ TaskLayout.dependencyKind, as: UInt32.self) {
        case 1: found.state.awaiting = .task
        case 2: found.state.awaiting = .continuation
        case 3: found.state.awaiting = .group
        case 4: found.state.awaiting = .actor
        default: break
        }
      default: break
      }
      next = memory.pointer(at: record &+ TaskLayout.recordNext)
    }
  }

  /// Follows the contexts of suspended functions outwards.
  private func frames(_ resume: UInt64, _ context: UInt64?) -> [StackFrame] {
    var frames = [StackFrame(address: resume, isResumption: true)]
    var next = context
    while let context = next, frames.count < Self.mostFrames {
      guard let resume = memory.pointer(at: context &+ TaskLayout.contextResume),
        code[resume] != nil
      else { break }
      frames.append(StackFrame(address: resume, isResumption: true))
      next = memory.pointer(at: context)
    }
    return frames
  }
}
