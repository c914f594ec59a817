// Symptom: A friend has put a new photo into her profile. On my card of her there is still the old
// one, though her new status line appeared at once.
// Looks at: card (what is drawn on the card)
import Foundation
import Varve

struct Profile {
  let id: Int
  var name: String
  var status: String
  var photo: String
}

final class ProfileFeed: Sendable {
  let profile = MutableProperty(
    Profile(id: 7, name: "Ines", status: "on holiday", photo: "ines-2023.jpg"))
}

final class ProfileCard {
  let drawn = MutableProperty("")

  init(_ feed: ProfileFeed) {
    drawn
      <~ feed.profile.producer
      .skipRepeats { $0.id == $1.id && $0.name == $1.name && $0.status == $1.status }  // culprit
      .map { "[\($0.photo)] \($0.name): \($0.status)" }
      .named("card")
  }
}

let feed = ProfileFeed()
let card = ProfileCard(feed)
card.drawn.producer.startWithValues { print($0) }

feed.profile.modify { $0.status = "back again" }
feed.profile.modify { $0.photo = "ines-2024.jpg" }
feed.profile.modify { $0.status = "back again" }
Thread.sleep(forTimeInterval: 0.05)
print("server: \(feed.profile.value.photo)")
