// Symptom: The first singer's song comes on the screen. Nobody else's ever does, though the
// list says that they are next.
// Looks at: playing (the song on the screen)
import Foundation
import Varve

struct Wish {
  let singer: String
  let song: String
}

final class Machine {
  let finished: Signal<Void, Never>
  private let end: Signal<Void, Never>.Observer
  private let player = QueueScheduler(name: "player")

  init() { (finished, end) = Signal.pipe() }

  func play(_ wish: Wish) -> SignalProducer<Wish, Never> {
    SignalProducer { [player, end] observer, lifetime in
      observer.send(value: wish)
      lifetime += player.schedule(after: .milliseconds(60)) {
        end.send(value: ())
        observer.sendCompleted()
      }
    }
  }
}

final class Stage {
  let playing: Signal<Wish, Never>
  private let (wishes, wish) = Signal<Wish, Never>.pipe()

  init(_ machine: Machine) {
    playing =
      wishes
      .filter { !$0.song.isEmpty }
      .take(until: machine.finished)  // culprit
      .flatMap(.concat) { machine.play($0) }
  }

  func sing(_ song: String, _ singer: String) {
    wish.send(value: Wish(singer: singer, song: song))
  }
}

let machine = Machine()
let stage = Stage(machine)
stage.playing.named("playing").observeValues { print("\($0.singer) sings \($0.song)") }
for (singer, song) in [("Ana", "Jolene"), ("Ben", "Hello"), ("Cem", "Angie"), ("Dora", "Lola")] {
  stage.sing(song, singer)
  Thread.sleep(forTimeInterval: 0.1)
}
