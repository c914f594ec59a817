// Symptom: "All 9 tapes are archived", but tape 8 is not there: it is torn. When tape 2 was torn,
// an alert said so.
// Looks at: the tape that is missing ("tape 8")

import Foundation

struct Tape: Sendable {
  let number: Int
  let isTorn: Bool
}

enum DeckError: Error {
  case noSignal(tape: Int)
}

actor Archive {
  private(set) var tapes: Set<Int> = []

  func add(_ tape: Tape) { tapes.insert(tape.number) }
}

struct Deck: Sendable {
  func digitise(_ tape: Tape) async throws {
    try await Task.sleep(for: .milliseconds(20 + tape.number * 3))
    if tape.isTorn { throw DeckError.noSignal(tape: tape.number) }
  }
}

/// Runs the work for each of the elements, for no more than `limit` of them at once.
func forEach<Element: Sendable>(
  _ elements: [Element], limit: Int, name: (Element) -> String,
  _ work: @escaping @Sendable (Element) async throws -> Void
) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for (index, element) in elements.enumerated() {
      if index >= limit { try await group.next() }
      group.addTask(name: name(element)) { try await work(element) }
    }
    while await group.nextResult() != nil {}  // culprit
  }
}

func archive(_ tapes: [Tape]) async {
  let archive = Archive()
  let deck = Deck()
  do {
    try await forEach(tapes, limit: 3, name: { "tape \($0.number)" }) { tape in
      try await deck.digitise(tape)
      await archive.add(tape)
    }
    print("All \(tapes.count) tapes are archived.")
  } catch DeckError.noSignal(let tape) {
    print("Tape \(tape) cannot be read.")
  } catch {
    print("Failed: \(error)")
  }
  print("in the archive: \(await archive.tapes.sorted())")
}

for torn in [2, 8] {
  await archive((1...9).map { Tape(number: $0, isTorn: $0 == torn) })
}
