import Foundation

struct Order: Sendable {
  var customer: String
  var language: String
  var medicine: String
}

struct Parcel: Sendable {
  var customer: String
  var label: String
  var receipt: String
}

/// What a request carries with it, so that not every function needs a parameter for it.
enum RequestContext {
  @TaskLocal static var language = "en"
}

struct OrderCounter: Sendable {
  let typesetter: Typesetter
  let receipts: ReceiptService

  func fill(_ order: Order) async -> Parcel {
    await RequestContext.$language.withValue(order.language) {
      async let label = typesetter.label(for: order.medicine)
      async let receipt = receipts.receipt(for: order.medicine)
      return await Parcel(customer: order.customer, label: label, receipt: receipt)
    }
  }
}

actor ReceiptService {
  private var lastNumber = 1_000

  func receipt(for medicine: String) async -> String {
    lastNumber += 1
    let number = lastNumber
    try? await Task.sleep(for: .milliseconds(30))
    let words = Phrasebook.words(for: RequestContext.language)
    return "\(words.receipt) \(number): \(medicine)"
  }
}
