/// What the keeper of a canal's lock looks at.
@MainActor
final class LockScreen {
  private let canal: Canal
  private var watching: Task<Void, Never>?
  private(set) var level = "?"
  private(set) var boats: [String] = []
  private(set) var hasLoaded = false

  init(canal: Canal) { self.canal = canal }

  func appear() {
    guard watching == nil else { return }
    watching = Task(name: "screen") { [weak self, canal] in
      await canal.open()
      await self?.watchLevel()  // culprit
      await self?.watchBoats()
    }
  }

  func disappear() {
    watching?.cancel()
    watching = nil
  }

  private func watchLevel() async {
    for await centimetres in canal.levels {
      hasLoaded = true
      level = "\(centimetres / 100).\(centimetres % 100) m"
    }
  }

  private func watchBoats() async {
    for await boat in canal.boats { boats.append(boat) }
  }
}
