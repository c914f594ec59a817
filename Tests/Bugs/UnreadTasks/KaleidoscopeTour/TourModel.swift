import Foundation

@MainActor
final class TourModel {
  private let service: HintService
  private var remaining: [Hint] = []
  private var hiding: Task<Void, Never>?

  private(set) var hint: Hint? {
    didSet { print(hint.map { "[ \($0.text) ]" } ?? "[ ]") }
  }

  init(hints: HintService) {
    service = hints
  }

  func begin() async {
    do {
      remaining = try await service.hints(for: "2.0")
    } catch {
      print("no tour: \(error)")
    }
    next()
  }

  func next() {
    hiding?.cancel()
    guard !remaining.isEmpty else {
      hint = nil
      return
    }
    hint = remaining.removeFirst()
    hideLater()
  }

  private func hideLater() {
    hiding = Task(name: "hint") {
      try! await Task.sleep(for: .milliseconds(150))  // culprit
      hint = nil
    }
  }
}
