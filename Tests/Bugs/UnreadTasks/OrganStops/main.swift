// Symptom: Some lamps of the organ's console stay dark after their stop was drawn, and the
// toolkit writes in its log: a lamp was changed on a background thread.
// Looks at: what draws a stop ("stop")

import Foundation

/// The toolkit is older than Swift, and for the main queue only, as its manual says.
enum Toolkit {
  private static let main = DispatchSpecificKey<Bool>()

  static func begin() { DispatchQueue.main.setSpecific(key: main, value: true) }

  static var mayDraw: Bool { DispatchQueue.getSpecific(key: main) == true }
}

final class Lamp: @unchecked Sendable {
  let title: String
  private(set) var isLit = false

  init(_ title: String) { self.title = title }

  func light(_ pressure: Int) {
    guard Toolkit.mayDraw else {
      print("toolkit: \(title) was changed on a background thread")
      return
    }
    isLit = pressure > 60
  }
}

/// The bellows give wind to the pipes of a stop.
actor Bellows {
  private var drawn: Set<String> = []

  func open(_ stop: String) async -> Int {
    drawn.insert(stop)
    try? await Task.sleep(for: .milliseconds(15))
    return 90 - drawn.count * 3
  }

  func close(_ stop: String) { drawn.remove(stop) }
}

@MainActor
final class Console {
  private let wind = Bellows()
  private var lamps: [String: Lamp] = [:]

  init(stops: [String]) {
    for stop in stops { lamps[stop] = Lamp(stop) }
  }

  /// The organist draws a stop with the hand.
  func draw(_ stop: String) {
    guard let lamp = lamps[stop] else { return }
    Task(name: "stop") { lamp.light(await wind.open(stop)) }
  }

  /// The pedal draws several at once, without a pause between them.
  func pedal(_ stops: [String]) {
    for lamp in stops.compactMap({ lamps[$0] }) {
      Task.detached(name: "stop") { [wind] in lamp.light(await wind.open(lamp.title)) }  // culprit
    }
  }

  var lit: [String] { lamps.values.filter(\.isLit).map(\.title).sorted() }
}

Toolkit.begin()
let console = Console(stops: ["Flute 8", "Gamba", "Oboe", "Principal", "Trumpet"])
console.draw("Principal")
try await Task.sleep(for: .milliseconds(50))
console.pedal(["Gamba", "Oboe", "Trumpet"])
try await Task.sleep(for: .milliseconds(50))
console.draw("Flute 8")
try await Task.sleep(for: .milliseconds(50))
print("lit: \(console.lit.joined(separator: ", "))")
