// Symptom: My voucher for the hotel's network had run out. I entered a new one, and the app says that
// it is valid, but the page of the network goes on saying that my voucher has run out.
// Looks at: the state of the network ("access")

import Foundation
import Varve

enum Access: Equatable {
  case unknown
  case expired
  case granted(megabits: Int)
}

final class VoucherStore {
  let voucher: MutableProperty<String>

  init(saved: String) { voucher = MutableProperty(saved) }

  func enter(_ code: String) -> Bool {
    guard code.count == 6 else { return false }
    voucher.value = code
    return true
  }
}

final class Gateway {
  private let valid: [String: Int] = ["KM42ZX": 50]
  private let network = QueueScheduler(name: "gateway")

  func access(with voucher: String) -> SignalProducer<Access, Never> {
    let answer = valid[voucher].map { Access.granted(megabits: $0) } ?? .expired
    return SignalProducer(value: answer)
      .delay(.milliseconds(15), on: network)
  }
}

final class NetworkModel {
  let access: Property<Access>
  private let reload: Signal<Void, Never>.Observer

  init(vouchers: VoucherStore, gateway: Gateway) {
    let (reloads, reload) = Signal<Void, Never>.pipe()
    self.reload = reload
    access = Property(
      initial: .unknown,
      then:
        reloads
        .flatMap(.latest) { [voucher = vouchers.voucher.value] in  // culprit
          gateway.access(with: voucher)
        }
        .named("access"))
  }

  func refresh() { reload.send(value: ()) }
}

let vouchers = VoucherStore(saved: "AB12CD")
let model = NetworkModel(vouchers: vouchers, gateway: Gateway())
model.refresh()
Thread.sleep(forTimeInterval: 0.06)
print(model.access.value)
print("voucher accepted: \(vouchers.enter("KM42ZX"))")
for _ in 1...3 {
  model.refresh()
  Thread.sleep(forTimeInterval: 0.06)
  print(model.access.value)
}
