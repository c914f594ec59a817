import Foundation

enum PlotterState: Sendable {
  case asleep
  case warmingUp
  case ready
  case outOfPaper
}

actor Plotter {
  private var state = PlotterState.asleep
  private var observers: [UUID: AsyncStream<PlotterState>.Continuation] = [:]

  /// Each change of the state from now on.
  func states() -> AsyncStream<PlotterState> {
    let id = UUID()
    return AsyncStream { continuation in
      observers[id] = continuation
      continuation.onTermination = { _ in Task { await self.forget(id) } }
    }
  }

  func wakeUp() {
    guard state == .asleep else { return enter(state) }
    enter(.warmingUp)
    Task {
      try? await Task.sleep(for: .milliseconds(80))
      enter(.ready)
    }
  }

  func draw(_ sheet: Sheet) async -> Int {
    let passes = (sheet.strokes + 99) / 100
    for _ in 1...passes { try? await Task.sleep(for: .milliseconds(15)) }
    return passes
  }

  private func enter(_ next: PlotterState) {
    state = next
    for observer in observers.values { observer.yield(next) }
  }

  private func forget(_ id: UUID) {
    observers[id] = nil
  }
}
