// Symptom: The vase is printed to its last layer. From then on the button stays grey, and none of
// the next pieces begins, whichever I choose.
// Looks at: the name of the piece on the panel ("piece")
import Foundation
import Varve

struct Piece: Sendable {
  let name: String
  let layers: Int
}

enum PrinterError: Error {
  case noFilament
}

enum Report: Sendable {
  case begun(String)
  case layer(Int)
  case degrees(Int)
}

final class Printer: Sendable {
  private let wire = QueueScheduler(name: "wire")

  func layers(of piece: Piece) -> SignalProducer<Int, PrinterError> {
    SignalProducer.interval(1...piece.layers, interval: .milliseconds(8), on: wire)
      .promoteError(PrinterError.self)
  }

  /// How hot the nozzle is, for as long as someone looks.
  func nozzle() -> SignalProducer<Int, Never> {
    SignalProducer.interval(.milliseconds(15), on: wire).map { 205 + $0 % 4 }
  }
}

final class Panel {
  let piece: Property<String>
  let status: Property<String>
  let print: Action<Piece, Report, PrinterError>

  init(_ printer: Printer, presses: Signal<Piece, Never>) {
    print = Action { piece in
      printer.layers(of: piece)
        .map { Report.layer($0) }
        .prefix(value: .begun(piece.name))
        .merge(with: printer.nozzle().map { .degrees($0) }.promoteError())  // culprit
    }
    piece = Property(
      initial: "(none)",
      then: print.values.producer.compactMap { report in
        if case .begun(let name) = report { name } else { nil }
      })
    status = Property(
      initial: "ready",
      then: print.values.producer.compactMap { report in
        switch report {
        case .begun: nil
        case .layer(let number): "layer \(number)"
        case .degrees(let degrees): "\(degrees)°"
        }
      })
    print <~ presses
  }
}

let (presses, finger) = Signal<Piece, Never>.pipe()
let panel = Panel(Printer(), presses: presses)
panel.piece.signal.named("piece").observeValues { print("now: \($0)") }
panel.status.signal.skipRepeats().observeValues { print("  \($0)") }
for name in ["vase", "cup", "hook"] {
  print("press: \(name)")
  finger.send(value: Piece(name: name, layers: 12))
  Thread.sleep(forTimeInterval: 0.2)
}
print("button \(panel.print.isEnabled.value ? "blue" : "grey"), piece \(panel.piece.value)")
