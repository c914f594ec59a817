// Symptom: When the printer runs out of paper, the ticket machine shows "printing …" and stays so. The
// staff have to pull the plug, although they put in paper at once.
// Looks at: the sale of a ticket ("sale")

import Foundation

protocol PrinterDelegate: AnyObject {
  func printer(_ printer: TicketPrinter, didPrint job: Int)
  func printer(_ printer: TicketPrinter, didFail job: Int, reason: String)
}

/// The driver of the printer.
// Safety: the paper is counted on the queue, and the delegate is set once, before the first job.
final class TicketPrinter: @unchecked Sendable {
  weak var delegate: (any PrinterDelegate)?
  private let queue = DispatchQueue(label: "printer")
  private var paper = 2

  func start(job: Int) {
    queue.asyncAfter(deadline: .now() + 0.03) { [self] in
      guard paper > 0 else {
        paper = 50
        delegate?.printer(self, didFail: job, reason: "no paper")
        return
      }
      paper -= 1
      delegate?.printer(self, didPrint: job)
    }
  }
}

struct PrintError: Error {
  let reason: String
}

// Safety: what changes is behind the lock.
final class PrintService: PrinterDelegate, @unchecked Sendable {
  private let printer = TicketPrinter()
  private let lock = NSLock()
  private var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
  private var log: [String] = []

  init() { printer.delegate = self }

  func printTicket(_ number: Int) async throws {
    try await withCheckedThrowingContinuation { continuation in
      lock.withLock { waiting[number] = continuation }
      printer.start(job: number)
    }
  }

  func printer(_ printer: TicketPrinter, didPrint job: Int) {
    lock.withLock { waiting.removeValue(forKey: job) }?.resume()
  }

  func printer(_ printer: TicketPrinter, didFail job: Int, reason: String) {
    lock.withLock { log.append("ticket \(job): \(PrintError(reason: reason))") }  // culprit
  }
}

@MainActor
final class TicketMachine {
  private let service = PrintService()
  private(set) var display = "welcome"

  func sell(_ number: Int, to place: String) async {
    display = "printing …"
    do {
      try await service.printTicket(number)
      display = "ticket \(number) to \(place), have a good trip"
    } catch {
      display = "please ask the staff"
    }
  }
}

let machine = TicketMachine()
for (number, place) in [(1, "Graz"), (2, "Linz"), (3, "Wels"), (4, "Graz")] {
  let sale = Task(name: "sale") { await machine.sell(number, to: place) }
  try await Task.sleep(for: .milliseconds(100))
  print(machine.display)
  await sale.value
}
print("closed")
