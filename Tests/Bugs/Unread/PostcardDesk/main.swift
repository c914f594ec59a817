// Symptom: In the evening I write postcards to all my friends and send one after the other. Some of them
// never get theirs, and the app is sure that it has sent everything that I wrote.
// Looks at: the cards that the printer has taken ("posted")
import Foundation
import Varve

struct Postcard {
  let name: String
  let text: String
}

final class PrintShop {
  private let network = QueueScheduler(name: "print shop")

  func post(_ card: Postcard) -> SignalProducer<String, Never> {
    SignalProducer { [network] observer, lifetime in
      // A long text takes longer.
      let time = Duration.milliseconds(10 + card.text.count)
      lifetime += network.schedule(after: time) {
        observer.send(value: card.name)
        observer.sendCompleted()
      }
    }
  }
}

final class WritingDesk {
  let posted = MutableProperty<[String]>([])
  private let (cards, desk) = Signal<Postcard, Never>.pipe(named: "cards")

  init(_ shop: PrintShop) {
    cards
      .filter { !$0.text.isEmpty }
      .flatMap(.latest) { shop.post($0) }  // culprit
      .named("posted")
      .observeValues { [posted] name in posted.modify { $0.append(name) } }
  }

  func send(_ text: String, to name: String) {
    desk.send(value: Postcard(name: name, text: text))
  }
}

let desk = WritingDesk(PrintShop())
desk.send("The sea is cold.", to: "Runa")
Thread.sleep(forTimeInterval: 0.05)
desk.send("We walked to the lighthouse and back, and nobody was there.", to: "Anselm")
Thread.sleep(forTimeInterval: 0.03)
desk.send("Home on Friday.", to: "Mirko")
Thread.sleep(forTimeInterval: 0.05)
desk.send("The dog has learnt to swim, and he does nothing else now.", to: "Tilda")
Thread.sleep(forTimeInterval: 0.02)
desk.send("Wet socks.", to: "Jo")
Thread.sleep(forTimeInterval: 0.15)
print("posted: \(desk.posted.value.joined(separator: ", "))")
