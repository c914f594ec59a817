// Symptom: The first sheet is plotted. The second one stays at “preparing the plotter” for ever,
// although the plotter is still on.
// Looks at: the plotting of a sheet ("plot")

import Foundation

@main
struct PlotterApp {
  static func main() async {
    let service = PlotService(plotter: Plotter())
    for title in ["Ground floor", "First floor", "Roof"] {
      let plot = Task(name: "plot") {
        try await service.plot(Sheet(title: title, strokes: 400))
      }
      do {
        print("\(title): plotted in \(try await plot.value) passes")
      } catch {
        print("\(title): \(error)")
      }
    }
  }
}
