// Symptom: Usually the curtain opens when the stage manager presses; today he and the inspector pressed
// at the same time, the desk froze and the audience waited.
// Looks at: curtain (the height of the curtain in the desk's software)
import Foundation
import Varve

/// The winch moves the curtain and the brake holds the net, each on a queue of its own.
final class Rigging {
  let curtain = MutableProperty(0, named: "curtain")
  let net = MutableProperty(0, named: "net")
  private let winch = QueueScheduler(name: "winch")
  private let brake = QueueScheduler(name: "brake")

  func openCurtain(then done: @escaping () -> Void) {
    winch.schedule { [self] in
      settle()
      if case .success(let height)? = netHeight().waitForFirst(), height == 0 { curtain.value = 8 }
      done()
    }
  }

  func closeCurtain(then done: @escaping () -> Void) {
    winch.schedule { [self] in
      _ = netHeight().waitForFirst()
      curtain.value = 0
      done()
    }
  }

  func lowerNet(then done: @escaping () -> Void) {
    brake.schedule { [self] in
      settle()
      if case .success(let height)? = curtainHeight().waitForFirst() {  // culprit
        net.value = height == 0 ? 3 : 0
      }
      done()
    }
  }

  private func netHeight() -> SignalProducer<Int, Never> {
    net.producer.take(first: 1).start(on: brake)
  }

  private func curtainHeight() -> SignalProducer<Int, Never> {
    curtain.producer.take(first: 1).start(on: winch)
  }

  private func settle() { Thread.sleep(forTimeInterval: 0.02) }
}

let rigging = Rigging()
let group = DispatchGroup()
func press(_ moves: ((@escaping () -> Void) -> Void)...) {
  for move in moves {
    group.enter()
    move { group.leave() }
  }
}

rigging.curtain.signal.observeValues { print("curtain at \($0) m") }
press(rigging.openCurtain)
group.wait()
press(rigging.closeCurtain)
group.wait()
press(rigging.openCurtain, rigging.lowerNet)
group.wait()
print("the play begins")
