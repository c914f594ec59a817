// Symptom: I record what I play. When I press stop, the last notes that I played are not in the roll,
// though I heard them.
// Looks at: the notes in the roll ("roll")

import Foundation
import Varve

struct Note: Sendable {
  let pitch: Int
  let velocity: Int
}

final class Keyboard: Sendable {
  let notes: Signal<Note, Never>
  private let input: Signal<Note, Never>.Observer

  init() { (notes, input) = Signal.pipe(named: "keys") }

  func play(_ pitch: Int) { input.send(value: Note(pitch: pitch, velocity: 90)) }
  func stop() { input.sendCompleted() }
}

/// Draws what is played; the drawing is expensive, so notes are drawn in groups.
final class PianoRoll: Sendable {
  let notes: Property<[Note]>
  let drawings = MutableProperty(0)
  private let canvas = QueueScheduler(name: "canvas")

  init(_ keyboard: Keyboard) {
    let groups = keyboard.notes
      .collect(every: .milliseconds(100), on: canvas, skipEmpty: true)  // culprit
    notes = Property(
      initial: [], then: groups.scan(into: []) { $0.append(contentsOf: $1) }.named("roll"))
    drawings <~ groups.scan(0) { count, _ in count + 1 }
  }
}

let keyboard = Keyboard()
let roll = PianoRoll(keyboard)
let tune = [60, 62, 64, 65, 67, 67, 69, 69, 69, 69, 67, 65, 65, 65, 65, 64, 64]
for pitch in tune {
  Thread.sleep(forTimeInterval: 0.021)
  keyboard.play(pitch)
}
keyboard.stop()
Thread.sleep(forTimeInterval: 0.15)
let drawn = roll.notes.value.map(\.pitch)
print("played \(tune.count) notes, drawn \(drawn.count) in \(roll.drawings.value) groups")
print("the end of the tune: \(tune.suffix(4)), of the roll: \(drawn.suffix(4))")
