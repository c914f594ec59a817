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
    width: Int = 100, all: Bool = false, keepsGaps: Bool = false, blockEvents: Int = 16
  ) throws -> String {
    let reader = try Rendered(script, blockEvents: blockEvents).reader
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

  @Test("what cannot be shown has a sign of its own, which is explained, and not that of a loss")
  func otherCharacters() throws {
    var script = TraceScript()
    let keys = script.stream("keys")
    for (index, key) in ["\u{238b}", "\u{200b}", "\u{8}"].enumerated() {
      script.value(keys, key, at: 100 * Double(index))
    }
    let plain = try draw(script, ascii: true, width: 60, keepsGaps: true)
    #expect(plain.contains("keys  *-") && !plain.contains("?"), "\(plain)")
    #expect(plain.contains("   < also backspace\n* also what ASCII lacks\n"), "\(plain)")
    let picture = try draw(script, width: 60, keepsGaps: true)
    #expect(picture.contains("keys  \u{238b}─") && picture.contains("─\u{fffd}─"), "\(picture)")
    #expect(picture.contains("\n\u{fffd} a character that is not shown\n"), "\(picture)")
  }

  @Test("a run that only inner observations tell of is alive no longer than these")
  func innerRuns() throws {
    var script = TraceScript()
    let first = script.stream("first", "SignalProducer")
    let second = script.stream("second", "SignalProducer")
    let joined = script.stream("joined", "merge()", from: [first, second])
    let begun = script.stream("begun", "prefix(value:)", from: [first])
    let shown = script.stream("shown", "flatMap(.concat, _:)")
    let other = script.stream("other")
    for start in [100.0, 500] {
      let observed = script.subscribe(joined, to: shown, at: start)
      let edges = [first, second].map { script.subscribe($0, to: joined, at: start + 1) }
      script.value(joined, "a", at: start + 50, subscription: edges[0])
      script.value(joined, "b", at: start + 100, subscription: edges[1])
      script.end(edges[0], of: first, .completed, at: start + 120)
      script.record(.completed, of: joined, at: start + 150, subscription: edges[1])
      script.end(edges[1], of: second, .completed, at: start + 151)
      script.end(observed, of: joined, .completed, at: start + 152)
      // What comes before the input is of a stream that is no parent, and cancelled with the rest.
      let before = script.subscribe(second, to: begun, at: start + 20)
      script.value(begun, "c", at: start + 30, subscription: before)
      script.end(before, of: second, .completed, at: start + 31)
      let input = script.subscribe(first, to: begun, at: start + 40)
      script.record(.interrupted, of: begun, at: start + 200, subscription: before)
      script.end(input, of: first, .disposed, at: start + 201)
    }
    script.value(begun, "lost", at: 800, subscription: 4_711)
    script.value(other, "last", at: 1_000)
    var selection = Selection()
    selection.names = try ["joined", "begun", "other"].map { try NamePattern($0) }
    let picture = try draw(script, selection, width: 70, keepsGaps: true)
    #expect(
      picture == """
                      ╷200 ms      ╷400 ms      ╷600 ms      ╷800 ms
        joined     a────                     a────
                      b──┤                      b──┤
        begun    c├─────────⊘              c├─────────⊘      lost
        other   ─────────────────────────────────────────────────────────last─

        ├ started   ┤ completed   ⊘ cancelled   ─ alive   ╷ this moment

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

  @Test("a picture does not depend on how the events are divided into blocks", arguments: 1...3)
  func blocks(seed: UInt64) throws {
    let script = Self.pages(seed)
    for (width, all) in [(60, false), (100, true), (400, true)] {
      // Of a block of one event, none stands for others.
      let alone = try draw(script, width: width, all: all, blockEvents: 1)
      #expect(alone.split(separator: "\n").count > 8)
      for count in [7, 64, 4_096] {
        #expect(try draw(script, width: width, all: all, blockEvents: count) == alone)
      }
    }
  }

  /// Pages that search on three threads: values in bursts, runs that overlap, end, fail, and are
  /// cancelled.
  private static func pages(_ seed: UInt64) -> TraceScript {
    var script = TraceScript()
    var state = seed
    func chance(_ most: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % most
    }
    let main: UInt32 = 1
    let workers = [script.thread("one", ring: 2), script.thread("two", ring: 3)]
    let pages = (0..<3).map { page in
      let keys = script.stream("keys.\(page)")
      let mapped = script.stream("keys.\(page).map(_:)", "map", from: [keys], derived: true)
      let load = script.stream("load.\(page)", "SignalProducer")
      let shown = script.stream("shown.\(page)", "flatMap(.latest)", from: [mapped])
      return (keys: keys, mapped: mapped, load: load, shown: shown)
    }
    var time = 0.0
    var runs: UInt64 = 100
    for _ in 0..<400 {
      let page = pages[Int(chance(3))]
      time += chance(40) == 0 ? 50 : Double(chance(100)) / 50
      for key in 0..<chance(4) {
        time += 0.001
        script.record(.value, of: page.keys, .string("key \(key)"), at: time, ring: main)
        script.record(.value, of: page.mapped, .integer(Int64(key)), at: time, ring: main)
      }
      runs += 1
      script.record(
        .subscribed, of: page.load, .stream(page.shown), at: time, ring: main, subscription: runs)
      let worker = workers[Int(chance(2))]
      for value in 0..<chance(6) {
        time += 0.002
        script.record(
          .value, of: page.load, .integer(Int64(value)), at: time, ring: worker, subscription: runs)
      }
      switch chance(8) {
      case 0:
        script.record(
          .failed, of: page.load, .string("timed out"), at: time, ring: worker, subscription: runs)
      case 1: script.end(runs, of: page.load, .disposed, at: time + 0.001, ring: main)
      case 2: break
      default:
        script.record(.completed, of: page.load, at: time, ring: worker, subscription: runs)
        script.record(.value, of: page.shown, .integer(Int64(runs)), at: time + 0.001, ring: main)
      }
      time += 0.002
    }
    return script
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
