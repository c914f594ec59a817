// Symptom: I entered my coupon, which is good for one use. The page takes off the discount and says in
// the same moment that the coupon has been used already.
// Looks at: hint (the line below the field)
import Foundation
import Varve

enum CouponError: Error {
  case unknown
  case used
}

final class CouponServer: Sendable {
  private let open = MutableProperty(["SPRING": 500, "FRIEND": 1_000])
  private let used = MutableProperty<Set<String>>([])
  private let queue = QueueScheduler(name: "coupons")

  /// Takes the coupon and answers with its value.
  func redeem(_ code: String) -> SignalProducer<Int, CouponError> {
    SignalProducer { [open, used] () -> Result<Int, CouponError> in
      guard let cents = open.value[code] else { return .failure(.unknown) }
      return used.modify { $0.insert(code).inserted } ? .success(cents) : .failure(.used)
    }
    .start(on: queue)
  }
}

final class CouponField {
  let discount = MutableProperty(0)
  let hint = MutableProperty("")
  private let server: CouponServer

  init(_ server: CouponServer) { self.server = server }

  func enter(_ code: String) {
    let answer = server.redeem(code.uppercased())
    discount <~ answer.flatMapError { _ in SignalProducer(value: 0) }
    hint
      <~ answer  // culprit
      .map { "You save \(Double($0) / 100)" }
      .flatMapError { error in
        switch error {
        case .unknown: SignalProducer(value: "There is no such coupon")
        case .used: SignalProducer(value: "This coupon has been used already")
        }
      }
  }
}

let field = CouponField(CouponServer())
field.discount.signal.named("discount").observeValues { print("discount: \($0)") }
field.hint.signal.named("hint").observeValues { print("hint: \($0)") }
field.enter("sprong")
Thread.sleep(forTimeInterval: 0.1)
field.enter("Spring")
Thread.sleep(forTimeInterval: 0.1)
