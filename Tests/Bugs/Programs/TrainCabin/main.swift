// Symptom: The speedometer in the passengers' app works until I open the list of announcements: from
// then on the speed does not change any more.
// Looks at: the speed ("speed")

import Foundation
import Varve

struct Announcement {
  var station: String
  var minutesLate: Int
}

final class Train {
  let speed: Signal<Int, Never>
  let announcements: Signal<Announcement, Never>
  private let speedInput: Signal<Int, Never>.Observer
  private let announcementInput: Signal<Announcement, Never>.Observer

  init() {
    (speed, speedInput) = Signal.pipe(named: "speed")
    (announcements, announcementInput) = Signal.pipe()
  }

  func drive(at kilometersPerHour: Int) { speedInput.send(value: kilometersPerHour) }

  func announce(_ station: String, late minutes: Int) {
    announcementInput.send(value: Announcement(station: station, minutesLate: minutes))
  }
}

final class CabinModel {
  private(set) var speedText = "–"
  private(set) var lines: [String] = []
  private let train: Train
  private let observation = SerialDisposable()

  init(train: Train) { self.train = train }

  func showSpeed() {
    observation.inner = train.speed
      .map { "\($0) km/h" }
      .skipRepeats()
      .observeValues { [weak self] in self?.speedText = $0 }
  }

  func openAnnouncements() {
    lines = []
    observation.inner = train.announcements  // culprit
      .filter { $0.minutesLate > 2 }
      .observeValues { [weak self] in
        self?.lines.append("\($0.station): +\($0.minutesLate)")
      }
  }

  deinit { observation.dispose() }
}

let train = Train()
let cabin = CabinModel(train: train)
cabin.showSpeed()
for speed in [40, 85, 120, 160] { train.drive(at: speed) }
print(cabin.speedText)
cabin.openAnnouncements()
train.announce("Göttingen", late: 4)
for speed in [190, 230, 250] { train.drive(at: speed) }
train.announce("Kassel", late: 6)
for speed in [180, 90, 0] { train.drive(at: speed) }
print("arrived at \(cabin.speedText), \(cabin.lines)")
