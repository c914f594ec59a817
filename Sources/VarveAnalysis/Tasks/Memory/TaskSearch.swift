internal import VarveProbe

/// Finds the tasks in a program's memory: each begins with a pointer to the metadata of tasks.
struct TaskSearch {
  /// The number of tasks from which on the search gives up.
  static let mostTasks = 1 << 18
  private static let piece = 1 << 20

  private let memory: any TaskMemory
  private let metadata: UInt64

  init(_ memory: any TaskMemory, metadata: UInt64) {
    self.memory = memory
    self.metadata = metadata
  }

  /// Returns the tasks that are alive, by number, and whether there are more than were kept.
  func tasks() -> (tasks: [TaskReader.Found], isCut: Bool) {
    let reader = TaskReader(memory)
    var found: [UInt64: TaskReader.Found] = [:]
    var isCut = false
    forEachCandidate { address in
      guard let task = reader.task(at: address), task.state.phase != .ended else { return true }
      // A copy of a task that is gone may lie in memory that is used for something else now.
      if found[task.state.id] == nil { found[task.state.id] = task }
      isCut = found.count >= Self.mostTasks
      return !isCut
    }
    return (found.values.sorted { $0.state.id < $1.state.id }, isCut)
  }

  /// Calls `visit` with each address of a pointer to the metadata until it returns false.
  private func forEachCandidate(_ visit: (UInt64) -> Bool) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.piece, alignment: 16)
    defer { buffer.deallocate() }
    for range in memory.writable {
      for part in memory.resident(in: range) {
        // Tasks are aligned to 16 bytes.
        var start = (part.lowerBound + 15) & ~15
        while start < part.upperBound {
          let count = Int(min(UInt64(Self.piece), part.upperBound - start)) & ~15
          guard count > 0 else { break }
          let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
          if memory.read(start, into: piece) {
            for offset in stride(from: 0, to: count, by: 16)
            where piece.load(fromByteOffset: offset, as: UInt64.self) == metadata {
              guard visit(start + UInt64(offset)) else { return }
            }
          }
          start += UInt64(count)
        }
      }
    }
  }
}
