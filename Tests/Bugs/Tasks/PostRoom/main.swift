// Symptom: The counter of our town hall greets me in French, as I chose. The letter that it sends
// me about my parking place is in English. So are all letters, whatever language people choose.
// Looks at: the printing of the letters ("post room")

import Foundation

actor TownHall {
  private let postRoom: PostRoom
  private let printer: Printer
  private var nextPlace = 31

  init(postRoom: PostRoom, printer: Printer) {
    self.postRoom = postRoom
    self.printer = printer
  }

  func registerCar(of name: String) async {
    let letter = Letter(name: name, parking: nextPlace)
    nextPlace += 1
    print("\(name): \(greeting)")
    postRoom.add { [printer] in
      await printer.printOut(letter.text(in: Visitor.language))  // culprit
    }
  }

  private var greeting: String {
    switch Visitor.language {
    case "fr": "Merci, la lettre arrive."
    case "de": "Danke, der Brief kommt."
    default: "Thank you, the letter is on its way."
    }
  }
}

/// One visit at the counter, in the language of the visitor.
func visit(_ name: String, speaks language: String, at hall: TownHall) -> Task<Void, Never> {
  Task(name: "visit of \(name)") {
    await Visitor.$language.withValue(language) {
      await hall.registerCar(of: name)
    }
  }
}

let postRoom = PostRoom()
let working = Task(name: "post room") { await postRoom.work() }
let hall = TownHall(postRoom: postRoom, printer: Printer())
for (name, language) in [("Odile", "fr"), ("Jürgen", "de"), ("Kate", "en")] {
  await visit(name, speaks: language, at: hall).value
  try? await Task.sleep(for: .milliseconds(15))
}
postRoom.close()
await working.value
