import Testing
import VarveAnalysis
import VarveExport
import VarveFormat
import VarveMarbles
import VarveProbe
import VarveTraceScript

@Suite("Events as text")
struct EventTextTests {
  /// One event of each kind and each payload.
  static func everything() -> TraceScript {
    var script = TraceScript()
    let a = script.stream("cart.total", "map", type: "Int")
    let b = script.stream("checkout", "pipe")
    let work = script.scheduler("QueueScheduler(pay)")
    let other = script.thread("pay", ring: 2)
    let edge = script.subscribe(a, to: b, at: 0.5)
    script.record(.value, of: a, .integer(-42), at: 1)
    script.record(.value, of: a, .unsigned(.max), at: 1.000_001)
    script.record(.value, of: a, .real(2.5), at: 1.000_051)
    script.record(.value, of: a, .boolean(true), at: 1.012_345)
    script.record(.value, of: a, .unit, at: 2.5)
    script.record(.value, of: a, .null, at: 2.5)
    script.record(.value, of: b, .string("say \"hi\"\n\u{1b}[2J"), at: 250)
    script.record(.value, of: b, .string("long", originally: 4096), at: 251)
    script.record(.value, of: b, .description("Cart(items: 3)"), at: 252)
    script.record(.value, of: b, .typeOnly("Card"), at: 253)
    script.record(.value, of: b, .withheld, at: 254)
    script.record(.value, of: b, .bytes([0, 255]), at: 255)
    script.record(.absorbed, of: a, .reason(2), at: 256, back: 1)
    let hop = script.record(.hopScheduled, of: work, at: 2_000, subscription: 9)
    script.record(.hopBegan, of: work, at: 2_001, ring: other, subscription: 9, causes: [hop])
    script.record(.failed, of: b, .description("declined"), at: 2_002, ring: other, back: 1)
    script.record(.hopEnded, of: work, at: 2_003, ring: other, subscription: 9)
    script.end(edge, of: a, .disposed, at: 90_000)
    script.record(.log, of: 0, .string("bye"), at: 90_001)
    script.record(.interrupted, of: a, at: 90_002)
    return script
  }

  @Test("the scheduler in whose work something happened is a column")
  func scheduler() throws {
    let text = try Rendered(Self.everything()).text(fields: [.event, .scheduler, .kind])
    let lines = text.split(separator: "\n").suffix(6).map { line in
      line.split(separator: " ").joined(separator: " ")
    }
    #expect(
      lines == [
        "#2.1 hopBegan QueueScheduler(pay)", "#2.2 failed QueueScheduler(pay)",
        "#2.3 hopEnded QueueScheduler(pay)", "#1.16 ended", "#1.17 log", "#1.18 interrupted",
      ])
  }

  @Test("a line shows name, time, step, thread, stream, kind and value, in columns")
  func columns() throws {
    let text = try Rendered(Self.everything()).text()
    #expect(
      text == """
         #1.1   0.000500 s            main  cart.total           subscribed    → checkout
         #1.2   0.001000 s   +500 µs  main  cart.total           value         -42
         #1.3   0.001000 s     +1 ns  main  cart.total           value         18446744073709551615
         #1.4   0.001000 s    +50 ns  main  cart.total           value         2.5
         #1.5   0.001012 s  +12.3 µs  main  cart.total           value         true
         #1.6   0.002500 s  +1.49 ms  main  cart.total           value         ()
         #1.7   0.002500 s     +0 ns  main  cart.total           value         nil
         #1.8   0.250000 s   +248 ms  main  checkout             value         "say \\"hi\\"\\n\\u{1b}[2J"
         #1.9   0.251000 s  +1.00 ms  main  checkout             value         "long"… (4096 bytes)
        #1.10   0.252000 s  +1.00 ms  main  checkout             value         Cart(items: 3)
        #1.11   0.253000 s  +1.00 ms  main  checkout             value         (Card)
        #1.12   0.254000 s  +1.00 ms  main  checkout             value         (withheld)
        #1.13   0.255000 s  +1.00 ms  main  checkout             value         <00ff>
        #1.14   0.256000 s  +1.00 ms  main  cart.total           absorbed      repeated
        #1.15   2.000000 s  +1.74 s   main  QueueScheduler(pay)  hopScheduled  hop 9
         #2.1   2.001000 s  +1.00 ms  pay   QueueScheduler(pay)  hopBegan      hop 9
         #2.2   2.002000 s  +1.00 ms  pay   checkout             failed        declined
         #2.3   2.003000 s  +1.00 ms  pay   QueueScheduler(pay)  hopEnded      hop 9
        #1.16  90.000000 s  +88.0 s   main  cart.total           ended         disposed
        #1.17  90.001000 s  +1.00 ms  main                       log           bye
        #1.18  90.002000 s  +1.00 ms  main  cart.total           interrupted

        """)
  }

  private func two() throws -> Rendered {
    var script = TraceScript()
    let clicks = script.stream("clicks", "pipe")
    let first = script.value(clicks, "left", at: 0.000_5)
    script.record(.value, of: clicks, .string("right"), at: 30, causes: [first])
    return try Rendered(script)
  }

  private static let forms: [(EventFields, TimeForm, String)] = [
    (
      .usual, .elapsed,
      """
      #1.1   0.000500 ms            main  clicks  value  "left"
      #1.2  30.000000 ms  +30.0 ms  main  clicks  value  "right"

      """
    ),
    (
      [.time, .value], .ticks,
      """
      1000000500  "left"
      1030000000  "right"

      """
    ),
    (
      [.time, .value], .utc,
      """
      2023-11-14T22:13:20.000000Z  "left"
      2023-11-14T22:13:20.030000Z  "right"

      """
    ),
    (
      [.time, .value], .delta,
      """
                "left"
      +30.0 ms  "right"

      """
    ),
    (
      [.event, .operation, .subscription, .cause, .kind], .elapsed,
      """
      #1.1  value  pipe             0
      #1.2  value  pipe             0  #1.1

      """
    ),
  ]

  @Test("columns can be chosen, and times be written in other forms", arguments: forms)
  func written(fields: EventFields, time: TimeForm, expected: String) throws {
    var selection = Selection()
    selection.kinds = try KindSelection(names: "value")
    let text = try two().text(selection, fields: fields, time: time)
    #expect(text == expected)
  }

  @Test("nothing but ASCII when that is asked for")
  func ascii() throws {
    let style = OutputStyle(colours: false, ascii: true, width: nil)
    let text = try Rendered(Self.everything()).text(style: style)
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    #expect(text.contains("-> checkout") && text.contains("+500 us"))
  }

  @Test("colours come and go, and the text stays the same")
  func colours() throws {
    let rendered = try Rendered(Self.everything())
    let style = OutputStyle(colours: true, ascii: false, width: nil)
    let painted = try rendered.text(style: style)
    #expect(painted.contains("\u{1b}[1;31mfailed\u{1b}[0m"))
    let plain = try painted.replacing(Regex("\u{1b}\\[[0-9;]*m"), with: "")
    #expect(plain == (try rendered.text()))
  }

  @Test("lines are cut to a terminal's width")
  func cut() throws {
    var script = TraceScript()
    let notes = script.stream("notes")
    script.value(notes, String(repeating: "漢", count: 200), at: 1)
    script.value(notes, "short", at: 2)
    let style = OutputStyle(colours: false, ascii: false, width: 80)
    let text = try Rendered(script).text(style: style)
    #expect(
      text == """
        #1.1  1.000000 ms            main  notes   value         "漢漢漢漢漢漢漢漢漢漢…
        #1.2  2.000000 ms  +1.00 ms  main  notes   value         "short"

        """)
  }

  @Test("columns that were added shorten, the usual ones yield to them, and lines fit")
  func addedColumns() throws {
    let rendered = try Rendered(Self.everything())
    let added: EventFields = [.operation, .subscription, .cause, .scheduler, .place]
    for width in [30, 60, 80, 120] {
      let style = OutputStyle(colours: false, ascii: false, width: width)
      for fields in [EventFields.usual.union(added), [.event, .stream, .operation, .scheduler]] {
        let text = try rendered.text(fields: fields, style: style)
        for line in text.split(separator: "\n") {
          #expect(DisplayWidth.of(String(line)) <= width, "at \(width): \(line)")
          #expect(line.contains("#"))
        }
      }
    }
  }

  @Test("names cannot drive a terminal either")
  func names() throws {
    var script = TraceScript()
    let evil = script.stream("a\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}b")
    script.value(evil, "x", at: 1)
    script.record(.value, of: evil, .rawString([0xff, 0xc3, 0x28]), at: 2)
    let text = try Rendered(script).text()
    #expect(text.contains("a\\u{1b}]0;owned\\u{7}\\u{9b}31m\\u{202e}b"))
    #expect(text.contains("\"\\xff\\xc3(\""))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{9b}" })
  }

  @Test("what is not defined is called by its number")
  func undefined() throws {
    var script = TraceScript()
    script.record(.value, of: 4_000_000_000, .unit, at: 1, ring: 9)
    script.record(.hopEnded, of: 7, at: 2, ring: 9, subscription: 1)
    let text = try Rendered(script).text()
    #expect(
      text == """
        #9.1  1.000000 ms            ring 9  stream 4000000000  value         ()
        #9.2  2.000000 ms  +1.00 ms  ring 9  scheduler 7  hopEnded      hop 1

        """)
  }

  @Test("F2: names are written in full, however many and however long they are")
  func manyNames() throws {
    var script = TraceScript()
    // More than are kept to be copied, and longer than the output's buffer.
    let names = (0..<10_000).map { "s\($0)" } + [String(repeating: "long", count: 1_000)]
    let streams = names.map { script.stream($0) }
    for round in 0..<2 {
      for (index, stream) in streams.enumerated() {
        script.value(stream, "x", at: Double(round * names.count + index))
      }
    }
    let rendered = try Rendered(script)
    let text = try rendered.text(fields: [.stream, .value]).split(separator: "\n")
    #expect(text.map { $0.prefix { $0 != " " } } == (names + names).map { $0[...] })
    #expect(text.allSatisfy { $0.hasSuffix("  \"x\"") })
    let json = try rendered.json().split(separator: "\n")
    #expect(json.count == 2 * names.count)
    #expect(zip(json, names + names).allSatisfy { $0.contains(",\"name\":\"\($1)\",\"stream\":") })
  }

  @Test("fields are listed, added and taken away")
  func fields() throws {
    #expect(try EventFields(list: "time,value") == [.time, .value])
    #expect(
      try EventFields(list: "+cause,-thread")
        == EventFields.usual.union(.cause).subtracting(.thread))
    for wrong in ["", "tim", "-event,-time,-step,-thread,-stream,-kind,-value"] {
      #expect(throws: SelectionError.self) { try EventFields(list: wrong) }
    }
  }
}
