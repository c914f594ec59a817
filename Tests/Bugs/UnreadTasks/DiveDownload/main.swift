// Symptom: The download from my dive computer shows all the dives, up to the last one, and then says
// "receiving" for ever. The dives are not saved.
// Looks at: the import of the dives ("import")

import Foundation

struct Dive: Sendable, Codable {
  let number: Int
  let metres: Double
  let minutes: Int
}

enum Frame: Sendable {
  case dive(Dive)
  case battery(percent: Int)
  case end
}

/// The cable: calls back for each frame that comes in.
final class DiveComputer: Sendable {
  private let queue = DispatchQueue(label: "serial port")
  private let frames: [Frame] =
    (1...6).map { .dive(Dive(number: $0, metres: 11.5 + Double($0) * 2, minutes: 38 + $0)) }
    + [.battery(percent: 71), .end]

  func download(_ receive: @escaping @Sendable (Frame) -> Void) {
    for (index, frame) in frames.enumerated() {
      queue.asyncAfter(deadline: .now() + 0.02 * Double(index + 1)) { receive(frame) }
    }
  }
}

extension DiveComputer {
  var dives: AsyncStream<Dive> {
    AsyncStream { continuation in
      download { frame in
        switch frame {
        case .dive(let dive): continuation.yield(dive)
        case .battery(let percent): print("battery at \(percent) %")
        case .end: print("the computer is done")
        }
      }
    }
  }
}

actor LogBook {
  private(set) var dives: [Dive] = []

  func save(_ new: [Dive]) { dives += new }
}

struct Importer: Sendable {
  let computer: DiveComputer
  let book: LogBook

  func run() async -> Int {
    var received: [Dive] = []
    for await dive in computer.dives {  // culprit
      received.append(dive)
      print("receiving: dive \(dive.number), \(dive.metres) m")
    }
    await book.save(received)
    return received.count
  }
}

let book = LogBook()
let importing = Task(name: "import") {
  await Importer(computer: DiveComputer(), book: book).run()
}
let count = await importing.value
print("\(count) dives saved, \(await book.dives.reduce(0) { $0 + $1.minutes }) minutes in all")
