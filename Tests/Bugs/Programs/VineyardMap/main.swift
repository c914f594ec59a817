// Symptom: I corrected the number of rows of one plot, once. Since then the phone is warm and the server
// has got hundreds of versions of that plot.
// Looks at: plot (the plot that is open)
import Foundation
import Varve

struct Plot: Equatable {
  var name: String
  var rows: Int
  var edited: Date
}

final class EstateServer {
  let changes: Signal<Plot, Never>
  private(set) var versions = 0
  private let input: Signal<Plot, Never>.Observer
  private let queue = QueueScheduler(name: "estate")

  init() { (changes, input) = Signal.pipe() }

  func store(_ plot: Plot) {
    queue.schedule(after: .milliseconds(2)) { [self] in
      versions += 1
      var stored = plot
      stored.edited = Date()
      input.send(value: stored)
    }
  }
}

final class PlotModel {
  let plot: MutableProperty<Plot>

  init(_ plot: Plot, server: EstateServer) {
    self.plot = MutableProperty(plot, named: "plot")
    self.plot.signal
      .skipRepeats()
      .observeValues { server.store($0) }
    self.plot <~ server.changes  // culprit
  }
}

let server = EstateServer()
let model = PlotModel(Plot(name: "Südhang", rows: 41, edited: Date()), server: server)
Thread.sleep(forTimeInterval: 0.05)
model.plot.modify { $0.rows = 42 }
Thread.sleep(forTimeInterval: 0.7)
print("\(model.plot.value.rows) rows, \(server.versions) versions on the server")
