import Foundation

struct Invoice: Sendable {
  let number: Int
  let customer: String
  let cents: Int
  let pages: Int
}

struct Letter: Sendable {
  let invoice: Invoice
  let text: String
}

protocol TemplateRenderer: Sendable {
  func render(_ invoice: Invoice) async -> String
}

protocol MailTransport: Sendable {
  func deliver(_ letter: Letter) async
}

/// The invoices of the month, handed out to whoever asks.
actor MailQueue {
  private var waiting: [Invoice]
  private let templates: any TemplateRenderer

  init(_ invoices: [Invoice], templates: any TemplateRenderer) {
    waiting = invoices
    self.templates = templates
  }

  func next() async -> Letter? {
    guard let invoice = waiting.first else { return nil }
    let text = await templates.render(invoice)  // culprit
    waiting.removeAll { $0.number == invoice.number }
    return Letter(invoice: invoice, text: text)
  }
}
