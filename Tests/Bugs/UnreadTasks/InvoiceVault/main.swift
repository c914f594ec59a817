// Symptom: The auditor finds holes: some invoices that we sent to customers are not in the archive. The
// app never said a word, each of them was "sent and archived".
// Looks at: the sending of an invoice ("send invoice")

import Foundation

struct Invoice: Sendable {
  let number: Int
  let customer: String
  let cents: Int
}

enum VaultError: Error {
  case signatureMissing(Int)
}

actor Vault {
  private(set) var stored: [Int] = []

  func store(_ invoice: Invoice) async throws {
    try await Task.sleep(for: .milliseconds(12))
    guard invoice.cents < 100_000 else { throw VaultError.signatureMissing(invoice.number) }
    stored.append(invoice.number)
  }
}

actor MailGateway {
  private(set) var sent: [Int] = []

  func send(_ invoice: Invoice) async throws {
    try await Task.sleep(for: .milliseconds(25))
    sent.append(invoice.number)
  }
}

struct InvoiceService: Sendable {
  let vault: Vault
  let mail: MailGateway

  /// Archives the invoice while the mail is on its way.
  func send(_ invoice: Invoice) async throws {
    Task(name: "archive") { try await vault.store(invoice) }  // culprit
    try await mail.send(invoice)
  }
}

@MainActor
final class InvoiceListModel {
  private(set) var states: [String] = []
  private let service: InvoiceService

  init(service: InvoiceService) { self.service = service }

  func sendAll(_ invoices: [Invoice]) async {
    for invoice in invoices {
      let sending = Task(name: "send invoice") { try await service.send(invoice) }
      do {
        try await sending.value
        states.append("\(invoice.number) to \(invoice.customer): sent and archived")
      } catch {
        states.append("\(invoice.number) to \(invoice.customer): \(error)")
      }
    }
  }
}

let vault = Vault()
let mail = MailGateway()
let model = InvoiceListModel(service: InvoiceService(vault: vault, mail: mail))
await model.sendAll([
  Invoice(number: 501, customer: "Baker Lund", cents: 4_250),
  Invoice(number: 502, customer: "Town hall", cents: 312_000),
  Invoice(number: 503, customer: "Dr. Sato", cents: 18_900),
  Invoice(number: 504, customer: "Harbour Ltd", cents: 150_075),
])
try await Task.sleep(for: .milliseconds(60))
model.states.forEach { print($0) }
print("sent: \(await mail.sent)")
print("in the archive: \(await vault.stored)")
