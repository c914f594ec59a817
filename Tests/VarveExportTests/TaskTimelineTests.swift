import Testing
import VarveAnalysis
import VarveExport
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Lanes of tasks in timelines")
struct TaskTimelineTests {
  private func draw(
    _ script: TraceScript, _ selection: Selection = Selection(), ascii: Bool = false,
    showsTasks: Bool = true
  ) throws -> String {
    let reader = try Rendered(script, blockEvents: 4).reader
    let style = OutputStyle(colours: false, ascii: ascii, width: 80)
    let timeline = try Timeline(
      of: reader, selection: selection,
      options: Timeline.Options(width: 60, keepsGaps: true, showsTasks: showsTasks), style: style)
    let words = TraceWords(reader, pid: 4711, style: style)
    return TimelineTextRenderer(timeline, style: style, words: words).text()
  }

  @Test("a picture has a lane for each task, with what it does and waits for")
  func picture() throws {
    let reader = try Rendered(TaskStory.whole, blockEvents: 4).reader
    let timeline = try Timeline(
      of: reader, selection: Selection(),
      options: Timeline.Options(width: 200, keepsGaps: true, showsTasks: true), style: .plain)
    let words = TraceWords(reader, pid: 4711, style: .plain)
    let picture = TimelinePicture(timeline, words, lookup: EventLookup(reader))
    let svg = picture.svg(title: "tasks")
    for text in [
      #"data-name="task 1""#, #"data-name="task 2 fetch""#, ">task</text>", ">continuation</text>",
      "<title>task 3 waits for its group</title>", "<title>task 3 was cancelled</title>",
      "<title>task 2 fetch ended</title>", #"<rect class="runs""#,
    ] { #expect(svg.contains(text), "\(text)") }
    #expect(svg.components(separatedBy: #"<g class="lane task""#).count == 4)
    // The lanes end where the picture does, and the page's script finds them by their class.
    #expect(svg.contains(#"height="148""#))
    let page = TimelinePage(picture).html(title: "tasks", files: ["tasks.varve"])
    #expect(page.contains(#"<g class="lane task""#))
  }

  /// The numbers of the tasks that have lanes.
  private func lanes(_ picture: String) -> [String] {
    picture.split(separator: "\n").filter { $0.drop { $0 == " " }.hasPrefix("task ") }
      .compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
  }

  @Test("a task is seen to be made, to run, to wait and for what, to be resumed, and to end")
  func lives() throws {
    #expect(
      try draw(TaskStory.whole) == """
                        ╷0 s                  ╷500 ms
        task 1          ├┄┄┄━━━━━t····················┄┄┄┄┄━━━━┤
          task 2 fetch        ├┄┄┄┄━━━c·········┄┄┄┄━━┤
        task 3                           ├┄┄┄┄━━━━━g···············⊘

        #1.14     1 s  main    task 3        waits for its group, cancelled
        #1.13  900 ms  main    task 1        ended, resumed by thread worker
        #2.4   700 ms  worker  task 2 fetch  ended, resumed by task 3

        ╷ this moment
        ├ task made   ━ runs   ┄ could run
        c· waits for a continuation   t· for a task
        g· for its group   ⊘ task cancelled   ┤ task ended

        """)
    #expect(
      try draw(TaskStory.whole, ascii: true) == """
                        '0 s                  '500 ms
        task 1          ^:::=====t....................:::::====|
          task 2 fetch        ^::::===c.........::::==|
        task 3                           ^::::=====g...............!

        #1.14     1 s  main    task 3        waits for its group, cancelled
        #1.13  900 ms  main    task 1        ended, resumed by thread worker
        #2.4   700 ms  worker  task 2 fetch  ended, resumed by task 3

        ' this moment
        ^ task made   = runs   : could run
        c. waits for a continuation   t. for a task
        g. for its group   ! task cancelled   | task ended

        """)
  }

  @Test("what happened before the first column decides what a task does there")
  func stretch() throws {
    var selection = Selection()
    selection.since = .sinceStart(610_000_000)
    #expect(
      try draw(TaskStory.whole, selection) == """
                              ╷700 ms     ╷800 ms      ╷900 ms
        task 1          t·····┄┄┄┄┄┄┄┄┄┄┄┄━━━━━━━━━━━━━┤
          task 2 fetch  ━━━━━━┤
        task 3          g··········································⊘

        #1.14     1 s  main    task 3        waits for its group, cancelled
        #1.13  900 ms  main    task 1        ended, resumed by thread worker
        #2.4   700 ms  worker  task 2 fetch  ended, resumed by task 3

        ╷ this moment
        ━ runs   ┄ could run   t· for a task   g· for its group
        ⊘ task cancelled   ┤ task ended

        """)
  }

  @Test("tasks are chosen by name and by number, and left out where other things are asked for")
  func chosen() throws {
    var selection = Selection()
    selection.names = [try NamePattern("fetch")]
    #expect(lanes(try draw(TaskStory.whole, selection)) == ["2"])
    selection.names = [try NamePattern("task 3")]
    #expect(lanes(try draw(TaskStory.whole, selection)) == ["3"])
    selection.names = []
    selection.kinds = KindSelection([.value])
    #expect(try draw(TaskStory.whole, selection).isEmpty)
    #expect(try draw(TaskStory.whole, showsTasks: false).isEmpty)
  }

  @Test("of more tasks than fit, named ones come first, then those that last, then the oldest")
  func many() throws {
    var tasks = TaskStory()
    for task in 1...60 {
      let time = Double(task) * 10
      let id = UInt64(task)
      tasks.make(id, template: id == 50 ? 2 : 1, at: time)
      tasks.run(id, (time + 1, time + 2), until: id > 40 && id <= 45 ? .continuation : .nothing)
    }
    let picture = try draw(tasks.script)
    let lanes = lanes(picture)
    #expect(lanes.count == 24)
    #expect(lanes.suffix(6) == ["41", "42", "43", "44", "45", "50"])
    #expect(Array(lanes.prefix(18)) == (1...18).map { String($0) })
    #expect(picture.contains("36 more tasks are left out"))
  }
}
