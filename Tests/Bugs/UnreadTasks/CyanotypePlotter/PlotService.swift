import Foundation

struct Sheet: Sendable {
  var title: String
  var strokes: Int
}

enum PlotError: Error {
  case plotterGone
  case outOfPaper
}

struct PlotService: Sendable {
  let plotter: Plotter

  func plot(_ sheet: Sheet) async throws -> Int {
    print("\(sheet.title): preparing the plotter…")
    try await prepare()
    return await plotter.draw(sheet)
  }

  private func prepare() async throws {
    await plotter.wakeUp()
    for await state in await plotter.states() {  // culprit
      switch state {
      case .ready: return
      case .outOfPaper: throw PlotError.outOfPaper
      case .warmingUp, .asleep: continue
      }
    }
    throw PlotError.plotterGone
  }
}
