// Symptom: None. Each lap has its time, also the first, and all are printed; the official result
// takes the place of the estimate.
// Looks at: result (what the board shows)

import Foundation
import Varve

struct Lap: Sendable {
  let number: Int
  let tenths: Int
}

final class Timing {
  let crossings: Signal<Int, Never>
  let official: Signal<String, Never>
  private let beam: Signal<Int, Never>.Observer
  private let jury: Signal<String, Never>.Observer

  init() {
    (crossings, beam) = Signal.pipe(named: "crossings")
    (official, jury) = Signal.pipe(named: "official")
  }

  func cross(at tenths: Int) { beam.send(value: tenths) }

  func finish(_ text: String) {
    jury.send(value: text)
    beam.sendCompleted()
    jury.sendCompleted()
  }
}

actor SlipPrinter {
  private(set) var slips: [String] = []

  func print(_ lap: Lap) async {
    try? await Task.sleep(for: .milliseconds(12))
    slips.append("lap \(lap.number): \(lap.tenths)")
  }
}

final class RaceDesk {
  let result = MutableProperty("–", named: "result")
  private let printing: Task<Void, Never>

  init(_ timing: Timing, printer: SlipPrinter) {
    let laps = timing.crossings
      .combinePrevious(0)
      .map { $1 - $0 }
      .scan(Lap(number: 0, tenths: 0)) { Lap(number: $0.number + 1, tenths: $1) }
    result
      <~ laps
      .scan(0) { $0 + $1.tenths }
      .map { "about \($0 / 10) s" }
      .take(untilReplacement: timing.official)
    let slips = laps.values(buffering: .unbounded)
    printing = Task(name: "slips") {
      for await lap in slips { await printer.print(lap) }
    }
  }

  func wait() async { await printing.value }
}

let timing = Timing()
let printer = SlipPrinter()
let desk = RaceDesk(timing, printer: printer)
for lap in 1...8 {
  timing.cross(at: lap * 610 + lap % 3)
  try await Task.sleep(for: .milliseconds(lap % 4 == 0 ? 60 : 2))
}
print("the board says \(desk.result.value)")
timing.finish("488.2 s")
await desk.wait()
print("the board says \(desk.result.value), \(await printer.slips.count) slips")
