// Symptom: After signing in as my wife, I still see the visits of my own pass.
// Looks at: the visits on the screen ("visits")

import Foundation
import Varve

final class Session {
  let member = MutableProperty("guest", named: "member")
}

final class GymServer {
  private let queue = QueueScheduler(name: "server")
  private let visits = ["hans": ["Mon", "Tue"], "ida": ["Sat"]]

  func visits(of member: String) -> SignalProducer<[String], Never> {
    SignalProducer { [queue, visits] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(10)) {
        observer.send(value: visits[member] ?? [])
        observer.sendCompleted()
      }
    }
  }
}

final class PassScreen {
  let visits: Property<[String]>
  let title: Property<String>
  private let reload: Signal<Void, Never>.Observer

  init(session: Session, server: GymServer) {
    let (reloads, reload) = Signal<Void, Never>.pipe(named: "reloads")
    let member = session.member.value  // culprit
    self.reload = reload
    title = session.member.map { "Pass of \($0.capitalized)" }
    visits = Property(
      initial: [],
      then:
        reloads
        .flatMap(.latest) { server.visits(of: member).named("request") }
        .named("visits"))
  }

  func pull() { reload.send(value: ()) }
}

let session = Session()
session.member.value = "hans"
let screen = PassScreen(session: session, server: GymServer())
screen.pull()
Thread.sleep(forTimeInterval: 0.05)
print(screen.title.value, screen.visits.value)

session.member.value = "ida"
screen.pull()
Thread.sleep(forTimeInterval: 0.05)
print(screen.title.value, screen.visits.value)
