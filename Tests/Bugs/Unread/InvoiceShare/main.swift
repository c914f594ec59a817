// Symptom: I tap Share on an invoice, and the app freezes. Nothing reacts any more, I have to kill
// it.
// Looks at: the document that is to be shared ("document")

import Foundation
import Varve

let ui = QueueScheduler(name: "ui")

final class InvoiceScreen: Sendable {
  private let renderer: any DocumentRendering
  private let invoice: Invoice

  init(invoice: Invoice, renderer: any DocumentRendering) {
    self.invoice = invoice
    self.renderer = renderer
  }

  /// A thumbnail for the list.
  func showPreview() {
    renderer.document(for: invoice, resolution: .preview)
      .startWithValues { print("preview: \($0.pages) page(s)") }
  }

  func shareTapped() {
    print("share…")
    fflush(nil)
    let result = renderer.document(for: invoice, resolution: .print)
      .named("document")
      .waitForSingle()  // culprit
    guard case .success(let document)? = result else { return }
    print("sharing \(document.name), \(document.pages) page(s)")
  }
}

let invoice = Invoice(number: 2_041, lines: ["Paint", "Brushes", "Labour"])
let screen = InvoiceScreen(invoice: invoice, renderer: PDFRenderer(delivering: ui))

func onUI(_ work: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  ui.schedule {
    work()
    done.signal()
  }
  done.wait()
}

onUI { [screen] in screen.showPreview() }
Thread.sleep(forTimeInterval: 0.1)
onUI { [screen] in screen.shareTapped() }
print("done")
