import Foundation
import Varve

struct Invoice: Sendable {
  let number: Int
  let lines: [String]
}

struct Document: Sendable {
  let name: String
  let pages: Int
}

enum Resolution: Int, Sendable {
  case preview = 72
  case print = 600
}

protocol DocumentRendering: Sendable {
  /// The document; it arrives on the scheduler of the user interface.
  func document(for invoice: Invoice, resolution: Resolution) -> SignalProducer<Document, Never>
}

final class PDFRenderer: DocumentRendering {
  private let background = QueueScheduler(name: "rendering")
  private let delivery: any Scheduler

  init(delivering delivery: any Scheduler) { self.delivery = delivery }

  func document(for invoice: Invoice, resolution: Resolution) -> SignalProducer<Document, Never> {
    SignalProducer {
      Thread.sleep(forTimeInterval: Double(resolution.rawValue) / 20_000)
      return Document(
        name: "invoice-\(invoice.number).pdf", pages: 1 + invoice.lines.count / 40)
    }
    .start(on: background)
    .observe(on: delivery)
  }
}
