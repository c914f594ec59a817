// Symptom: I scan the boxes of a delivery. After a box that the list does not know, which was said
// rightly, the screen shows no further box, although the scanner beeps for each.
// Looks at: the line on the screen ("line")
import Foundation
import Varve

struct Medicine: Sendable, Equatable {
  let name: String
  let inStock: Int
}

enum LookupError: Error {
  case unknown(code: Int)
  case listClosed
}

final class MedicineList: Sendable {
  private let disk = QueueScheduler(name: "disk")
  private let names = [4_011: "ibuprofen", 4_012: "cetirizine", 4_013: "omeprazole"]

  func medicine(_ code: Int) -> SignalProducer<Medicine, LookupError> {
    SignalProducer { [names] () -> Result<Medicine, LookupError> in
      guard let name = names[code] else { return .failure(.unknown(code: code)) }
      return .success(Medicine(name: name, inStock: code % 7 * 10))
    }
    .delay(.milliseconds(10), on: disk)
    .start(on: disk)
  }
}

final class Desk {
  let line: Property<String>
  let count = MutableProperty(0)

  init(_ list: MedicineList, scans: Signal<Int, Never>, on screen: any Scheduler) {
    count <~ scans.scan(0) { count, _ in count + 1 }
    let lines = scans.producer
      .skipRepeats()
      .promoteError(LookupError.self)
      .flatMap(.concat) { code in
        list.medicine(code).map { "\($0.name): \($0.inStock) in stock" }
      }
      .flatMapError { error -> SignalProducer<String, Never> in  // culprit
        switch error {
        case .unknown(let code): SignalProducer(value: "\(code) is not in the list")
        case .listClosed: SignalProducer(value: "the list is closed")
        }
      }
    line = Property(initial: "scan a box", then: lines.observe(on: screen))
  }
}

let (scans, scanner) = Signal<Int, Never>.pipe()
let desk = Desk(MedicineList(), scans: scans, on: QueueScheduler(name: "screen"))
desk.line.producer.named("line").startWithValues { print($0) }
for code in [4_011, 4_013, 9_999, 4_012, 4_011, 4_013] {
  Thread.sleep(forTimeInterval: 0.04)
  scanner.send(value: code)
}
Thread.sleep(forTimeInterval: 0.1)
print("\(desk.count.value) boxes scanned, last line: \(desk.line.value)")
