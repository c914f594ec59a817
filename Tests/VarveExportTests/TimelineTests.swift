import Testing
import VarveAnalysis
import VarveExport
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Timelines")
struct TimelineTests {
  private func draw(
    _ script: TraceScript, _ selection: Selection = Selection(), ascii: Bool = false,
    width: Int = 100, all: Bool = false, keepsGaps: Bool = false
  ) throws -> String {
    let reader = try Rendered(script, blockEvents: 16).reader
    let style = OutputStyle(colours: false, ascii: ascii, width: nil)
    let timeline = try Timeline(
      of: reader, selection: selection, losses: reader.losses,
      options: Timeline.Options(width: width, showsAll: all, keepsGaps: keepsGaps), style: style)
    return TimelineTextRenderer(timeline, style: style).text()
  }

  @Test("keystrokes, queries, cancelled, failed and finished searches can be told apart")
  func search() throws {
    let picture = try draw(SearchTrace().script)
    #expect(
      picture == """
                     ╷0 s      ╷500 ms    ╷1 s       ╷1.5 s      ~4.7 s  ╷7 s       ╷7.5 s     ╷8 s
        keystrokes   ──s──e──a──────────r──c─h───────────────────~~~───⌫─⌫────────────────x────────────────┤
          queries    ──────────────sea──────────────search───────~~~────────────sear─────────────searx─────┤
            search                 ├────────────────⊘├─────42┤                  ├────────✗       ├────0┤
            results  ────────────────────────────────────────42──~~~───────────────────────────────────0───┤
        progress     ─────────────────────0.4─────────●─●─●─1────~~~────────────────────────────────────────

        ● #2.2  1.56 s  progress  0.2
        ● #2.3  1.66 s  progress  0.5
        ● #2.4  1.76 s  progress  0.8
        ✗ #2.9  7.73 s  search    timed out after 400 ms

        ● value   ├ started   ┤ completed   ⊘ cancelled   ✗ failed   ~ nothing happened   ─ alive
        ╷ this moment   ⌫ backspace

        """)
  }

  @Test("in ASCII, in sixty columns, some of the streams")
  func narrow() throws {
    var selection = Selection()
    selection.excluded = [try NamePattern("progress")]
    selection.until = .sinceStart(2_000_000_000)
    let picture = try draw(SearchTrace().script, selection, ascii: true, width: 60)
    #expect(
      picture == """
                     '0 s       '500 ms    '1 s       '1.5 s
        keystrokes   --s--e--a-----------r--c--h--------------------
          queries    ---------------sea---------------search--------
            search                  ^-----------------!^----o42|
            results  ------------------------------------------o42--

        o value   ^ started   | completed   ! cancelled
        - alive   ' this moment

        """)
  }

  @Test("runs that overlap lie beside each other")
  func overlap() throws {
    var script = TraceScript()
    let loads = script.stream("loads", "SignalProducer", type: "Int")
    let all = script.stream("all", "flatMap(.merge)", type: "Int")
    for (run, start, end) in [(1, 0.0, 400.0), (2, 100.0, 300.0), (3, 350.0, 500.0)] {
      script.record(
        .subscribed, of: loads, .stream(all), at: start, ring: UInt32(run),
        subscription: UInt64(run))
      script.record(
        .value, of: loads, .integer(Int64(run)), at: start + 50, ring: UInt32(run),
        subscription: UInt64(run) + 90)
      script.record(
        .completed, of: loads, at: end, ring: UInt32(run), subscription: UInt64(run) + 90)
    }
    let picture = try draw(script, width: 60)
    #expect(
      picture == """
               ╷0 s      ╷100 ms    ╷200 ms   ╷300 ms    ╷400 ms
        loads  ├────1────────────────────────────────────┤
                         ├────2───────────────┤     ├────3─────────┤

        ├ started   ┤ completed   ─ alive   ╷ this moment

        """)
  }

  @Test("lost events are marked where they are missing")
  func losses() throws {
    var script = TraceScript()
    let ticks = script.stream("ticks", type: "Int")
    for index in 0..<10 {
      script.record(.value, of: ticks, .integer(Int64(index)), at: Double(index) * 100)
    }
    script.lose(40, from: 220, to: 310)
    let picture = try draw(script, width: 60)
    #expect(picture.contains("(lost)             ??????\n"))
    #expect(picture.contains("? events are missing"))
  }

  @Test("a million events take no more columns than ten")
  func busy() throws {
    var script = TraceScript()
    let ticks = script.stream("ticks", type: "Int")
    for index in 0..<30_000 {
      script.record(.value, of: ticks, .integer(1), at: Double(index) / 100)
    }
    let picture = try draw(script, width: 40)
    #expect(picture.split(separator: "\n")[1] == "ticks  █████████████████████████████────")
    #expect(picture.contains("▃▄▅▆▇█ 21 to 1035 values in a column of 10.3 ms"))
  }

  @Test("streams that nobody named are shown when asked for, or when there are no others")
  func unnamed() throws {
    var script = TraceScript()
    let a = script.stream("a", type: "Int")
    let b = script.stream("a.map(_:)", "map", from: [a], type: "Int", derived: true)
    script.record(.value, of: a, .integer(1), at: 1)
    script.record(.value, of: b, .integer(2), at: 9)
    #expect(try !draw(script).contains("map"))
    #expect(try draw(script, all: true).contains("  a.map(_:)  ─"))
    var selection = Selection()
    selection.names = [try NamePattern("a.*")]
    #expect(try draw(script, selection).contains("a.map(_:)  2"))
  }

  @Test("nothing to draw is nothing drawn")
  func empty() throws {
    #expect(try draw(TraceScript()) == "")
  }
}
