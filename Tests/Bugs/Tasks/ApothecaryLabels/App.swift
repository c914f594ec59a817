// Symptom: The label on the box is always in English, whatever language the customer has chosen.
// The receipt that comes with it is in the right language.
// Looks at: the printing of the labels

import Foundation

@main
struct ApothecaryApp {
  static func main() async {
    let counter = OrderCounter(typesetter: Typesetter(), receipts: ReceiptService())
    let orders = [
      Order(customer: "Ms Berger", language: "de", medicine: "Ibuprofen 400"),
      Order(customer: "Mr Dupont", language: "fr", medicine: "Paracetamol 500"),
      Order(customer: "Ms Smith", language: "en", medicine: "Cetirizine 10"),
    ]
    await withTaskGroup(of: Parcel.self) { group in
      for order in orders {
        group.addTask { await counter.fill(order) }
      }
      for await parcel in group {
        print("\(parcel.customer): label “\(parcel.label)”, receipt “\(parcel.receipt)”")
      }
    }
  }
}
