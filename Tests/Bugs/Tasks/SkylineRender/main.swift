// Symptom: I press Stop, and the picture is rendered on to its last row all the same.
// Looks at: the renderer ("render")

import Foundation

struct Row: Sendable {
  var number: Int
  var pixels: [Double]
}

@MainActor
final class Canvas {
  private(set) var rows = 0
  private(set) var rowsAfterStop = 0
  private var isStopped = false

  func draw(_ row: Row) {
    rows += 1
    if isStopped { rowsAfterStop += 1 }
  }

  func stop() { isStopped = true }
}

struct Renderer: Sendable {
  let width = 400

  func row(_ number: Int) -> Row {
    let pixels = (0..<width).map { column in
      (1...6).reduce(0.0) { $0 + sin(Double(column * $1) / 50 + Double(number)) / Double($1) }
    }
    return Row(number: number, pixels: pixels)
  }

  func render(_ height: Int, on canvas: Canvas) async {
    for number in 0..<height {  // culprit
      await canvas.draw(row(number))
    }
  }
}

@MainActor
final class RenderScreen {
  let canvas = Canvas()
  private var rendering: Task<Void, Never>?

  func tapRender() {
    rendering = Task.detached(name: "render") { [canvas] in
      await Renderer().render(400, on: canvas)
    }
  }

  func tapStop() {
    print("Stopped at row \(canvas.rows)")
    canvas.stop()
    rendering?.cancel()
  }

  func settled() async { await rendering?.value }
}

let screen = RenderScreen()
screen.tapRender()
try? await Task.sleep(for: .milliseconds(50))
screen.tapStop()
await screen.settled()
print("\(screen.canvas.rowsAfterStop) rows were drawn after Stop")
