import Foundation
import Testing
import VarveAnalysis
import VarveExport
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Hops between schedulers in timelines")
struct HopTimelineTests {
  /// Writes streams and the work that carries their values between schedulers.
  private struct Story {
    var script = TraceScript()
    private var hop: UInt64 = 0

    /// Gives work to a scheduler.
    mutating func give(to scheduler: UInt32, on ring: UInt32 = 1, at time: Double) -> UInt64 {
      hop += 1
      script.record(
        .hopScheduled, of: scheduler, .cause(HopPayload(stack: 0, parent: 0)), at: time,
        ring: ring, subscription: hop)
      return hop
    }

    mutating func begin(_ hop: UInt64, of scheduler: UInt32, on ring: UInt32, at time: Double) {
      script.record(.hopBegan, of: scheduler, at: time, ring: ring, subscription: hop)
    }

    mutating func end(_ hop: UInt64, of scheduler: UInt32, on ring: UInt32, at time: Double) {
      script.record(.hopEnded, of: scheduler, at: time, ring: ring, subscription: hop)
    }
  }

  private func draw(
    _ script: TraceScript, _ selection: Selection = Selection(), ascii: Bool = false,
    width: Int = 60, terminal: Int = 80
  ) throws -> String {
    let reader = try Rendered(script, blockEvents: 4).reader
    let style = OutputStyle(colours: false, ascii: ascii, width: terminal)
    let timeline = try Timeline(
      of: reader, selection: selection,
      options: Timeline.Options(width: width, keepsGaps: true), style: style)
    let words = TraceWords(reader, pid: 4711, style: style)
    return TimelineTextRenderer(timeline, style: style, words: words).text()
  }

  /// A query from the main thread is answered on a background scheduler, and the answer is shown on
  /// the interface's, which is asked again later by itself.
  private var search: TraceScript {
    var story = Story()
    let background = story.script.scheduler("background")
    let interface = story.script.scheduler("interface")
    _ = story.script.thread("worker", ring: 2)
    let query = story.script.stream("query", type: "String")
    let answer = story.script.stream("answer", "observe(on:)", from: [query])
    let shown = story.script.stream("shown", "observe(on:)", from: [answer])
    let logged = story.script.stream("logged", "map(_:)", from: [shown])
    for (start, text) in [(100.0, "tea"), (600, "milk")] {
      story.script.value(query, text, at: start)
      let asked = story.give(to: background, at: start + 10)
      story.begin(asked, of: background, on: 2, at: start + 150)
      story.script.value(answer, "A", at: start + 155, ring: 2)
      story.script.value(answer, "B", at: start + 165, ring: 2)
      let answered = story.give(to: interface, on: 2, at: start + 168)
      story.end(asked, of: background, on: 2, at: start + 170)
      story.begin(answered, of: interface, on: 1, at: start + 250)
      story.script.value(shown, "A", at: start + 255)
      story.script.value(logged, "a", at: start + 260)
      story.end(answered, of: interface, on: 1, at: start + 270)
    }
    // What a scheduler does not get from elsewhere is no hop.
    let own = story.give(to: interface, at: 880)
    story.begin(own, of: interface, on: 1, at: 900)
    story.script.value(shown, "C", at: 910)
    story.end(own, of: interface, on: 1, at: 920)
    story.script.value(query, "end", at: 1_000)
    return story.script
  }

  @Test("the line that leads to what another scheduler was given begins where it was given")
  func hops() throws {
    let picture = try draw(search)
    #expect(
      picture == """
                                        ╷500 ms
        query         tea────────────────────milk──────────────end──
          answer      ┄┄┄┄┄┄▸②───────────────┄┄┄┄┄┄▸AB──────────────
            shown     ───────┄┄┄▸A───────────────────┄┄┄▸A─C────────
              logged  ────────────a──────────────────────a──────────

        ▸ #2.2  255 ms  worker  answer  2 hops, longest 145 ms   main → background
        ▸ #1.4  355 ms  main    shown   2 hops, longest 87.0 ms  background → interface

        ③ so many values   ┄▸ brought by another scheduler
        ─ alive   ╷ this moment

        """)
    let plain = try draw(search, ascii: true)
    #expect(
      plain == """
                                        '500 ms
        query         tea--------------------milk--------------end--
          answer      ::::::>2---------------::::::>AB--------------
            shown     -------:::>A-------------------:::>A-C--------
              logged  ------------a----------------------a----------

        > #2.2  255 ms  worker  answer  2 hops, longest 145 ms   main -> background
        > #1.4  355 ms  main    shown   2 hops, longest 87.0 ms  background -> interface

        3 so many values   :> brought by another scheduler
        - alive   ' this moment

        """)
  }

  @Test("lines below the lanes keep event and thread; what has no room on them stands below")
  func narrow() throws {
    let short = try draw(search, terminal: 66)
    #expect(short.contains("\n▸ #2.2  worker  answer  2 hops, 145 ms   main → background\n"))
    #expect(
      try draw(search, terminal: 40).contains(
        "\n▸ #1.4  355 ms  main    shown\n    2 hops, longest 87.0 ms, background\n    → interface\n"
      ))
  }

  @Test("a picture shows from where to where each value waited for another scheduler")
  func pictured() throws {
    let reader = try Rendered(search, blockEvents: 4).reader
    let timeline = try Timeline(
      of: reader, selection: Selection(),
      options: Timeline.Options(width: 60, keepsGaps: true), style: .plain)
    let words = TraceWords(reader, pid: 4711, style: .plain)
    let picture = TimelinePicture(timeline, words, lookup: EventLookup(reader)).svg(title: "search")
    let lanes = picture.components(separatedBy: "<g class=\"lane")
    // Two of the answer and two of what is shown; none of what only follows those.
    let counts = lanes.map { $0.components(separatedBy: "<g class=\"hop\">").count - 1 }
    #expect(counts == [0, 0, 2, 2, 0])
    for hop in picture.matches(of: /<line x1="(\d+)" y1="16" x2="(\d+)"/) {
      #expect(try #require(Int(hop.1)) + 14 <= #require(Int(hop.2)))
    }
  }

  @Test("no hops are drawn where their records are not among what is chosen")
  func chosen() throws {
    var values = Selection()
    values.kinds = KindSelection([.value])
    var last = Selection()
    last.tail = 12
    for selection in [values, last] {
      let picture = try draw(search, selection)
      #expect(picture.contains("answer  ") && !picture.contains("▸"), "\(picture)")
    }
    // Streams that are left out between two schedulers change nothing about who brought what.
    var two = Selection()
    two.names = [try NamePattern("query"), try NamePattern("logged")]
    let picture = try draw(search, two)
    #expect(picture.contains("logged  2 hops, longest 92.0 ms  background → interface"))
  }

  @Test("where nothing is drawn, no axis is either")
  func nothing() throws {
    var selection = Selection()
    selection.threads = [try NamePattern("worker")]
    selection.names = [try NamePattern("query")]
    #expect(try draw(search, selection).isEmpty)
  }
}
