// Symptom: The app crashes when I have tapped on one of the late films and then choose Sunday.
// Looks at: title (the headline above the trailer)
import Foundation
import Varve

struct Film {
  let title: String
  let hour: Int
}

enum Day {
  case friday
  case sunday
}

final class Cinema {
  func films(on day: Day) -> [Film] {
    switch day {
    case .friday:
      [
        Film(title: "The Ferry", hour: 16), Film(title: "North Wind", hour: 18),
        Film(title: "Harbour Lights", hour: 21), Film(title: "Midnight Tram", hour: 23),
      ]
    case .sunday: [Film(title: "Pip and the Whale", hour: 11), Film(title: "The Ferry", hour: 15)]
    }
  }
}

final class ProgrammeModel {
  let films: MutableProperty<[Film]>
  let selected = MutableProperty(0)
  let title: Property<String>
  private let cinema: Cinema

  init(_ cinema: Cinema) {
    self.cinema = cinema
    films = MutableProperty(cinema.films(on: .friday))
    title = films.combineLatest(with: selected)
      .map { films, index in films[index].title }  // culprit
  }

  func choose(_ day: Day) {
    films.value = cinema.films(on: day)
    selected.value = 0
  }
}

final class ProgrammeScreen {
  private let model: ProgrammeModel

  init(_ model: ProgrammeModel) {
    self.model = model
    model.title.producer.named("title").startWithValues { print("trailer: \($0)") }
  }

  func tap(row: Int) { model.selected.value = row }
  func choose(_ day: Day) { model.choose(day) }
}

let screen = ProgrammeScreen(ProgrammeModel(Cinema()))
screen.tap(row: 1)
screen.choose(.sunday)
screen.choose(.friday)
screen.tap(row: 3)
Thread.sleep(forTimeInterval: 0.05)
print("Sunday?")
screen.choose(.sunday)
print("good night")
