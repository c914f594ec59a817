// Symptom: We do the books of three firms. The invoice on the screen has the right letterhead, but
// the PDF that goes to the customer always has the letterhead of the demo firm.
// Looks at: the making of the PDF

import Foundation

enum Firm {
  @TaskLocal static var current = "Demo Ltd"
}

struct Invoice: Sendable {
  var number: Int
  var amount: Int
}

struct Letterhead {
  func render(_ invoice: Invoice) -> String {
    "\(Firm.current) · invoice \(invoice.number) · \(invoice.amount) €"
  }
}

struct PdfPrinter: Sendable {
  func pdf(of invoice: Invoice) async throws -> String {
    try await Task.sleep(for: .milliseconds(30))
    return "PDF [" + Letterhead().render(invoice) + "]"
  }
}

struct InvoiceDesk: Sendable {
  let printer = PdfPrinter()

  func send(_ invoice: Invoice) async throws {
    print("screen: " + Letterhead().render(invoice))
    let document = Task.detached(priority: .utility) {  // culprit
      try await printer.pdf(of: invoice)
    }
    let pdf = try await document.value
    print("mailed: " + pdf)
  }
}

@main
struct Books {
  static func main() async throws {
    let desk = InvoiceDesk()
    let work = [
      ("Oak & Sons", Invoice(number: 12, amount: 480)),
      ("Harbour Café", Invoice(number: 7, amount: 96)),
      ("Studio Lind", Invoice(number: 31, amount: 1200)),
    ]
    for (firm, invoice) in work {
      try await Firm.$current.withValue(firm) {
        try await desk.send(invoice)
      }
    }
  }
}
