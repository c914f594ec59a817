internal import CVarveSystem
internal import VarveFormat

/// The sidecar's lobby, as the drain thread sees it: what threads lose while there is no ring for
/// them.
struct Lobby {
  private let sidecar: UnsafeMutablePointer<vv_sidecar>
  /// The places of those whose losses are being told.
  private var taken: [UnsafeMutablePointer<vv_guest>] = []

  init(of sidecar: LiveSidecar) { self.sidecar = sidecar.header }

  private var places: [UnsafeMutablePointer<vv_guest>] {
    (0..<vv_lobby_used()).map { vv_sidecar_guest(sidecar, $0) }
  }

  /// Takes the losses of threads that have a ring now or have ended, or those of all.
  /// `lossesTold` or `putLossesBack` ends what it begins.
  mutating func takeLosses(whole: Bool) -> [(thread: ThreadDefinition, loss: TraceLoss)] {
    var losses: [(thread: ThreadDefinition, loss: TraceLoss)] = []
    for guest in places {
      guard let told = TraceLoss(taking: guest.loss, whole: whole, ring: guest.pointee.ring_id)
      else { continue }
      losses.append((guest.pointee.thread, told))
      taken.append(guest)
    }
    return losses
  }

  /// The losses of threads that still wait for a ring, as far as they have come.
  var openLosses: [(thread: ThreadDefinition, loss: TraceLoss)] {
    places.compactMap { guest in
      TraceLoss(goingOn: guest.loss, ring: guest.pointee.ring_id).map {
        (guest.pointee.thread, $0)
      }
    }
  }

  /// The rings that those will get, or would have got, whose losses may be told of again.
  var rings: [UInt32] {
    places.compactMap { guest in
      vv_guest_is_there(guest) ? guest.pointee.ring_id : nil
    }
  }

  /// The file tells of the losses that were taken.
  mutating func lossesTold() {
    for guest in taken { vv_guest_told(guest, true) }
    taken = []
  }

  /// The losses that were taken could not be told.
  mutating func putLossesBack() {
    for guest in taken { vv_guest_told(guest, false) }
    taken = []
  }

  /// What those have lost in common that found no place, and how the sidecar says it.
  func crowdsLoss() -> (TraceLoss, vv_loss)? {
    var seen = vv_loss()
    guard vv_crowd_look(vv_sidecar_crowd(sidecar), &seen), let loss = TraceLoss(seen, ring: 0)
    else { return nil }
    return (loss, seen)
  }

  /// The file tells of it.
  func crowdsLossTold(_ seen: vv_loss) {
    var seen = seen
    vv_crowd_told(vv_sidecar_crowd(sidecar), &seen)
  }
}

extension UnsafeMutablePointer<vv_guest> {
  /// What a guest begins with.
  fileprivate var loss: UnsafeMutablePointer<vv_loss> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: vv_loss.self)
  }
}
