internal import CVarveSystem
internal import VarveFormat

/// The threads that lose records because there is no ring for them, from the drain thread's point
/// of view: the first 64 of a recording individually, in places of the sidecar's header, and all
/// others together.
struct RinglessThreads {
  private let sidecar: UnsafeMutablePointer<vv_sidecar>
  /// The places whose losses are being written.
  private var taken: [UnsafeMutablePointer<vv_ringless>] = []

  typealias Loss = (thread: ThreadDefinition, loss: TraceLoss)

  init(of sidecar: LiveSidecar) { self.sidecar = sidecar.header }

  private var places: [UnsafeMutablePointer<vv_ringless>] {
    (0..<vv_sidecar_ringless_count(sidecar)).map { vv_sidecar_ringless(sidecar, $0) }
  }

  /// Takes the losses of threads that have a ring now or have ended, or those of all. Must be
  /// followed by `lossesWritten` or `putLossesBack`.
  mutating func takeLosses(whole: Bool) -> [Loss] {
    places.compactMap { place in
      guard let loss = TraceLoss(taking: place.loss, whole: whole, ring: place.pointee.ring_id)
      else { return nil }
      taken.append(place)
      return (place.pointee.thread, loss)
    }
  }

  /// The losses of threads that still have no ring, so far.
  var openLosses: [Loss] {
    places.compactMap { place in
      TraceLoss(goingOn: place.loss, ring: place.pointee.ring_id).map { (place.pointee.thread, $0) }
    }
  }

  /// The losses of all other threads, so far: one run, which continues until the recording ends.
  var othersLoss: TraceLoss? {
    var others = vv_loss()
    guard vv_loss_look(vv_sidecar_others(sidecar), &others) else { return nil }
    return TraceLoss(others, ring: 0)
  }

  /// The rings of threads whose losses continue.
  var rings: [UInt32] { openLosses.map(\.loss.ring) }

  /// Notes that the file has the losses taken.
  mutating func lossesWritten() {
    for place in taken { vv_loss_settle(place.loss, true) }
    taken = []
  }

  /// Notes that the losses taken could not be written.
  mutating func putLossesBack() {
    for place in taken { vv_loss_settle(place.loss, false) }
    taken = []
  }
}

extension UnsafeMutablePointer<vv_ringless> {
  /// The run of losses at the beginning of a place.
  fileprivate var loss: UnsafeMutablePointer<vv_loss> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: vv_loss.self)
  }
}
