/// Batches kept for reuse, so that no memory is allocated for each block.
struct BatchPool {
  private var batches: [(batch: EventBatch, bytes: Int)] = []
  private var bytes = 0
  private let mostBytes: Int

  /// Creates a pool that keeps at most `mostBytes` bytes, except for a single batch, which may be
  /// larger.
  init(mostBytes: Int) { self.mostBytes = mostBytes }

  mutating func take() -> EventBatch {
    guard let (batch, size) = batches.popLast() else { return EventBatch() }
    bytes -= size
    return batch
  }

  mutating func put(_ batch: EventBatch) {
    let size = batch.heldBytes
    guard batches.isEmpty || bytes + size <= mostBytes else { return }
    bytes += size
    batches.append((batch, size))
  }
}
