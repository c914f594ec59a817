// Symptom: Printing the badges of a large conference never begins: the bar stays at the first
// percents. Those of a single guest come at once.
// Looks at: the printing ("badges")

import Foundation

/// Fonts come from the network when they are needed first.
actor FontStore {
  private var widths: [Character: Int] = [:]

  func width(of text: String) async -> Int {
    var width = 0
    for letter in text {
      if widths[letter] == nil {
        try? await Task.sleep(for: .milliseconds(3))
        widths[letter] = 5 + Int(letter.asciiValue ?? 0) % 7
      }
      width += widths[letter] ?? 0
    }
    return width
  }
}

final class Measure: @unchecked Sendable {
  // Safety: written before the signal, read after it.
  var width = 0
}

struct Typesetter: Sendable {
  let fonts = FontStore()

  /// The layout asks in the midst of a line, and cannot wait with `await`.
  func width(of text: String) -> Int {
    let measure = Measure()
    let measured = DispatchSemaphore(value: 0)
    Task(name: "measure") {
      measure.width = await fonts.width(of: text)
      measured.signal()
    }
    measured.wait()  // culprit
    return measure.width
  }

  func badge(for guest: String) -> String {
    let margin = max(0, 240 - width(of: guest)) / 2
    return "\(guest) at \(margin)"
  }
}

struct BadgePress: Sendable {
  let typesetter = Typesetter()

  func print(_ guests: [String]) async -> [String] {
    await withTaskGroup(of: String.self) { group in
      for guest in guests {
        group.addTask(name: "badge") { typesetter.badge(for: guest) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }
}

let press = BadgePress()
print(await press.print(["Speaker"]))
let guests = (1...150).map { "Guest \($0)" }
let printing = Task(name: "badges") { await press.print(guests) }
print("\(await printing.value.count) badges")
