// Symptom: I imported the address list of our choir. The app says “Done”, and seven of the nineteen
// people are missing. It gives no reason.
// Looks at: imported (the number on the page)
import Foundation
import Varve

struct Person {
  let name: String
  let birthday: (day: Int, month: Int)
}

enum RowError: Error {
  case tooShort(Int)
  case badDate(String)
}

func person(row: Int, _ line: String) -> Result<Person, RowError> {
  let fields = line.split(separator: ";").map(String.init)
  guard fields.count >= 2 else { return .failure(.tooShort(row)) }
  let date = fields[1].split(separator: ".").compactMap { Int($0) }
  guard date.count == 2 else { return .failure(.badDate(fields[1])) }
  return .success(Person(name: fields[0], birthday: (date[0], date[1])))
}

final class Importer {
  let imported = MutableProperty(0)
  let status = MutableProperty("")
  private let disk = QueueScheduler(name: "disk")

  func read(_ lines: [String]) {
    status.value = "Reading…"
    imported
      <~ SignalProducer.interval(lines.enumerated(), interval: .milliseconds(4), on: disk)
      .flatMap(.concat) { row, line in
        SignalProducer(result: person(row: row, line)).materializeResults()
      }
      .on(completed: { [status] in status.value = "Done" })
      .compactMap { try? $0.get() }  // culprit
      .scan(0) { count, _ in count + 1 }
  }
}

let choir = (1...19).map { number -> String in
  if number.isMultiple(of: 4) { return "Singer \(number); March" }
  return number.isMultiple(of: 6) || number == 17
    ? "Singer \(number)" : "Singer \(number);7.\(number % 12 + 1)"
}
let importer = Importer()
importer.imported.signal.named("imported").observeValues { print("imported: \($0)") }
importer.status.signal.observeValues { print($0) }
importer.read(choir)
Thread.sleep(forTimeInterval: 0.25)
print("\(choir.count) rows, \(importer.imported.value) people: \(importer.status.value)")
