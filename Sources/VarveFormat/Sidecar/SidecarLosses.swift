package import CVarveSystem

/// What threads lost that had no ring.
struct SidecarLosses {
  private(set) var losses: [TraceLoss] = []
  private(set) var threads: [ThreadDefinition] = []

  init(file: SidecarFile, header: vv_sidecar) {
    let size = MemoryLayout<vv_ringless>.stride
    // The first recorders had so many.
    let count = Int(min(header.ringless, 4096))
    let bytes = file.read(at: UInt64(header.ringless_offset), count: count * size)
    for start in stride(from: 0, through: bytes.count - size, by: size) {
      add(bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: vv_ringless.self) })
    }
    if let others = TraceLoss(header.others, ring: 0) { losses.append(others) }
  }

  private mutating func add(_ place: vv_ringless) {
    guard let loss = TraceLoss(place.loss, ring: place.ring_id) else { return }
    losses.append(loss)
    threads.append(place.thread)
  }
}

extension vv_ringless {
  /// The thread that lost them.
  package var thread: ThreadDefinition {
    let name = withUnsafeBytes(of: name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return ThreadDefinition(ring: ring_id, systemID: thread_id, name: name)
  }
}

extension TraceLoss {
  /// Records that were overwritten in a ring, and of which the file may not tell yet; nil when there
  /// are none.
  package init?(overwritten ring: vv_ring) {
    guard ring.gap_until > ring.drained, ring.gap_count > 0 else { return nil }
    self.init(
      ring: ring.ring_id, count: ring.gap_count,
      ticks: ring.gap_first...max(ring.gap_first, ring.gap_last), reason: .notKept)
  }

  /// A run of losses as the sidecar holds it; nil when there is none.
  package init?(_ loss: vv_loss, ring: UInt32) {
    guard loss.state != UInt64(vv_loss_none.rawValue), loss.count > 0 else { return nil }
    self.init(ring: ring, count: loss.count, ticks: loss.first...max(loss.first, loss.last))
  }
}
