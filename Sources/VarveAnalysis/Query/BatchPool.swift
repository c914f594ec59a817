/// Batches that wait to be used again, so that nothing is allocated anew for each block.
struct BatchPool {
  private var batches: [(batch: EventBatch, bytes: Int)] = []
  private var bytes = 0
  private let mostBytes: Int

  /// Keeps no more memory than this, but for one batch.
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
