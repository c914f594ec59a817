public import VarveFormat
internal import VarveProbe

extension TraceDefinitions {
  /// Returns whether a stack is of work on a Dispatch queue, in a program whose queues were not
  /// followed: `varve run --hops` would have recorded who gave that work to the queue.
  public func isUnfollowedWork(stack: UInt32) -> Bool {
    guard let frames = stacks[stack]?.frames, !followsQueues else { return false }
    return frames.contains { module(at: $0.lookup)?.isNamed("libdispatch.so") == true }
  }

  /// Whether the library was loaded that follows Dispatch's queues.
  public var followsQueues: Bool {
    modules.values.contains { $0.isNamed("libVarveHops.so") }
  }

  /// The names of Dispatch's queues whose work was followed, in order.
  public var followedQueues: [String] {
    schedulers.values.map(\.name).filter { $0.hasPrefix("Dispatch") }.sorted()
  }
}

extension ModuleDefinition {
  fileprivate func isNamed(_ name: String) -> Bool { path.split(separator: "/").last == name[...] }
}
