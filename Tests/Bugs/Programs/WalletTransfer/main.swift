// Symptom: Once in a while, when money goes both ways between two wallets at once, the app dies in
// the middle of it. With one direction alone it never does.
// Looks at: the balance of the one wallet (the property "household")

import Foundation
import Varve

final class Wallet {
  let balance: MutableProperty<Int>
  private let queue: QueueScheduler

  init(_ name: String, cents: Int) {
    balance = MutableProperty(cents, named: name)
    queue = QueueScheduler(name: name)
  }

  func perform(_ work: @escaping () -> Void) { queue.schedule { work() } }

  func transfer(_ cents: Int, to other: Wallet) -> Bool {
    balance.modify { mine in
      guard mine >= cents else { return false }
      audit(cents)
      other.balance.modify { $0 += cents }  // culprit
      mine -= cents
      return true
    }
  }

  private func audit(_ cents: Int) { Thread.sleep(forTimeInterval: 0.0004) }
}

final class StandingOrders {
  let done = DispatchGroup()
  private(set) var statements: [Int] = []

  init(household: Wallet) {
    household.balance.signal
      .throttle(.milliseconds(50), on: QueueScheduler(name: "statements"))
      .observeValues { [unowned self] in statements.append($0) }
  }

  func run(_ count: Int, from: Wallet, to: Wallet, cents: Int) {
    done.enter()
    from.perform { [done] in
      for _ in 0..<count {
        _ = from.transfer(cents, to: to)
        Thread.sleep(forTimeInterval: 0.0002)
      }
      done.leave()
    }
  }
}

let household = Wallet("household", cents: 100_000)
let holidays = Wallet("holidays", cents: 100_000)
let orders = StandingOrders(household: household)
orders.run(500, from: household, to: holidays, cents: 150)
orders.run(500, from: holidays, to: household, cents: 120)
orders.done.wait()
print("household \(household.balance.value), holidays \(holidays.balance.value)")
