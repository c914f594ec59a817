internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// Sends the events of a query through a renderer, at once or at a pace.
struct ReplayRun {
  private let renderer: any EventRenderer
  private var pace: ReplayPace?
  private let output: ByteOutput

  init(_ renderer: any EventRenderer, _ pace: ReplayPace?, _ output: ByteOutput) {
    self.renderer = renderer
    self.pace = pace
    self.output = output
  }

  /// Runs to the end of the query, or until the output is closed.
  consuming func run(_ query: inout EventQuery<some EventSource>, clock: TraceTime) throws {
    var converter = TickConverter(clock)
    let start = ContinuousClock.now
    renderer.begin()
    query.run { page in
      guard pace != nil else {
        renderer.render(page)
        return output.isOpen
      }
      page.forEachAlone { ticks in
        guard output.isOpen else { return }
        let due = pace?.due(converter.nanoseconds(sinceStart: ticks)) ?? 0
        wait(until: start.advanced(by: .nanoseconds(Int64(clamping: due))))
        renderer.render(page)
      }
      return output.isOpen
    }
    renderer.end()
    try StandardOutput.close(output)
  }

  /// Flushes the output and sleeps until `moment`; does neither if it has passed.
  private func wait(until moment: ContinuousClock.Instant) {
    let left = ContinuousClock.now.duration(to: moment)
    guard left > .microseconds(200) else { return }
    output.flush()
    Sleep.sleep(left)
  }
}
