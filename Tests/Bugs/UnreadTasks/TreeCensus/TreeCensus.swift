// Symptom: All trees of the avenue have a green tick, and the office has only some of them.
// Looks at: what brings the trees to the office ("sync")

import Foundation

struct Tree: Sendable {
  let number: Int
  let species: String
  let girth: Int
}

enum OfficeError: Error {
  case girthOutOfRange(Int)
  case offline
}

actor CensusOffice {
  private(set) var trees: [Tree] = []

  func register(_ tree: Tree) async throws {
    try await Task.sleep(for: .milliseconds(10))
    guard (10...600).contains(tree.girth) else { throw OfficeError.girthOutOfRange(tree.girth) }
    trees.append(tree)
  }
}

@MainActor
final class FieldList {
  private(set) var waiting: [Tree] = []
  private(set) var ticked: Set<Int> = []
  private let office: CensusOffice

  init(office: CensusOffice) { self.office = office }

  func measure(_ species: String, girth: Int) {
    waiting.append(Tree(number: waiting.count + 1, species: species, girth: girth))
  }

  func sync() async {
    for tree in waiting {
      try? await office.register(tree)  // culprit
      ticked.insert(tree.number)
    }
    waiting.removeAll()
  }
}

let office = CensusOffice()
let list = FieldList(office: office)
list.measure("linden", girth: 140)
list.measure("linden", girth: 152)
list.measure("oak", girth: 2_100)
list.measure("plane", girth: 0)
let sync = Task(name: "sync") { await list.sync() }
await sync.value
print("ticked: \(list.ticked.count), at the office: \(await office.trees.count)")
