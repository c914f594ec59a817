import Testing

@testable import VarveMarbles

@Suite("Drawing a lane")
struct LaneDrawingTests {
  private func draw(
    _ columns: Int = 24, ascii: Bool = false, folds: [TimeAxis.Fold] = [],
    _ story: (inout Lane) -> Void
  ) -> String {
    var lane = Lane(name: "lane", depth: 0, columns: columns)
    story(&lane)
    lane.close()
    let drawing = LaneDrawing(lane, glyphs: ascii ? .ascii : .unicode)
    return String(drawing.drawn(folds: folds).row.compactMap(\.character))
  }

  @Test("values are written where they happen, ends and starts have signs")
  func plain() {
    let picture = draw { lane in
      lane.start(at: 2)
      lane.value(at: 5) { "a" }
      lane.value(at: 8) { "42" }
      lane.end(.completed, at: 14)
    }
    #expect(picture == "  ├──a──42────┤         ")
  }

  @Test("what takes no width takes no column", arguments: ["\u{200b}", "\u{2060}", "\u{feff}"])
  func noWidth(invisible: String) {
    let text = "a" + String(repeating: invisible, count: 39)
    #expect(draw(8) { lane in lane.value(at: 7) { text } } == "       a")
  }

  @Test("a stream that does not end goes on past the edge")
  func endless() {
    #expect(
      draw(8) { lane in
        lane.live(from: 0)
        lane.value(at: 3) { "x" }
      } == "───x────")
  }

  @Test("several values in a column are counted")
  func counts() {
    func several(_ count: Int, ascii: Bool = false) -> String {
      draw(5, ascii: ascii) { lane in
        lane.live(from: 0)
        for _ in 0..<count { lane.value(at: 2) { "v" } }
      }
    }
    #expect(several(2) == "──②──")
    #expect(several(20) == "──⑳──")
    #expect(several(21) == "──█──")
    #expect(several(9, ascii: true) == "--9--")
    #expect(several(10, ascii: true) == "--1--")
    #expect(several(100, ascii: true) == "--2--")
  }

  @Test("busy columns show their number by the height of a block, and the scale is told")
  func ramp() {
    var glyphs = GlyphSet.unicode
    #expect(glyphs.scale(column: "1 s") == nil)
    glyphs.most = 20
    #expect(glyphs.scale(column: "1 s") == nil)
    glyphs.most = 1_000
    #expect(
      [20, 21, 60, 100, 200, 400, 500, 501, 1_000].map { glyphs.count($0) } == Array("⑳▃▄▅▆▇▇██"))
    #expect(
      glyphs.scale(column: "1 s")
        == "▃▄▅▆▇█ 21 to 1000 values in a column of 1 s, each height for twice as many")
    var ascii = GlyphSet.ascii
    ascii.most = 9
    #expect(ascii.scale(column: "1 s") == nil && ascii.count(9) == "9")
    ascii.most = 120
    #expect([2, 9, 10, 99, 100, 120].map { ascii.count($0) } == Array("001122"))
    #expect(ascii.scale(column: "1 s")?.hasPrefix("0 for 2 to 9 values") == true)
    // Each digit that is drawn is in the legend.
    ascii.most = 3_000
    #expect(ascii.count(2_500) == "3")
    let scale = ascii.scale(column: "1 s")
    #expect(scale?.hasSuffix(", 2 for 100 or more, 3 for 1000 or more") == true)
  }

  @Test("an end wins its column, and the result that came with it stands before it")
  func endWins() {
    #expect(
      draw(10) { lane in
        lane.start(at: 1)
        lane.value(at: 6) { "42" }
        lane.end(.completed, at: 6)
      } == " ├──42┤   ")
    #expect(
      draw(10) { lane in
        lane.start(at: 5)
        lane.value(at: 6) { "42" }
        lane.end(.failed, at: 6)
      } == "     ├✗   ")
  }

  @Test("a run that follows another shares its lane")
  func runs() {
    #expect(
      draw(12) { lane in
        lane.start(at: 0)
        lane.end(.interrupted, at: 4)
        lane.start(at: 4)
        lane.value(at: 9) { "7" }
        lane.end(.completed, at: 10)
      } == "├───⊘├───7┤ ")
  }

  @Test("of two ends in a column the worse is shown")
  func worse() {
    #expect(
      draw(3) { lane in
        lane.start(at: 0)
        lane.end(.failed, at: 1)
        lane.end(.completed, at: 1)
      } == "├✗ ")
  }

  @Test("a text that is too long is cut, and one with no room is a sign")
  func room() {
    #expect(
      draw(12) { lane in
        lane.live(from: 0)
        lane.value(at: 1) { "something long" }
        lane.value(at: 9) { "long" }
      } == "─someth…─●──")
    #expect(
      draw(12) { lane in
        lane.live(from: 0)
        lane.value(at: 1) { "something" }
        lane.value(at: 8) { "xy" }
      } == "─somet…─xy──")
    #expect(
      draw(8) { lane in
        lane.live(from: 0)
        lane.value(at: 1) { "abc" }
        lane.value(at: 3) { "abc" }
        lane.value(at: 5) { "abc" }
      } == "─●─●─abc")
  }

  @Test("letters that follow each other are not torn apart")
  func letters() {
    #expect(
      draw(6) { lane in
        lane.live(from: 0)
        for (index, letter) in "sea".enumerated() { lane.value(at: index + 1) { String(letter) } }
      } == "─sea──")
  }

  @Test("wide characters take two columns")
  func wide() {
    let picture = draw(8) { lane in
      lane.live(from: 0)
      lane.value(at: 2) { "漢字" }
    }
    #expect(picture == "──漢字──")
    #expect(DisplayWidth.of(picture) == 8)
  }

  @Test("in ASCII a number bears a sign, so that it is no count")
  func asciiNumbers() {
    #expect(
      draw(12, ascii: true) { lane in
        lane.start(at: 0)
        lane.value(at: 3) { "42" }
        lane.end(.interrupted, at: 9)
      } == "^--o42---!  ")
  }

  @Test("what another scheduler was given is led to from where it was given, over nothing else")
  func hops() {
    func lane(ascii: Bool = false, _ story: (inout Lane) -> Void) -> String {
      draw(16, ascii: ascii) { lane in
        lane.live(from: 0)
        story(&lane)
      }
    }
    func brought(_ lane: inout Lane) {
      lane.value(at: 2) { "tea" }
      lane.hop(from: 3, to: 9)
      lane.value(at: 9) { "42" }
    }
    #expect(lane(brought) == "──tea┄┄┄▸42─────")
    #expect(lane(ascii: true, brought) == "--tea:::>o42----")
    // In one column, or beside its end, it has its sign.
    #expect(
      lane { lane in
        lane.hop(from: 9, to: 9)
        lane.value(at: 9) { "x" }
        lane.end(.completed, at: 9)
      } == "───────▸x┤      ")
    // A value has the room, not what leads to it.
    #expect(
      lane { lane in
        lane.value(at: 8) { "a" }
        lane.hop(from: 4, to: 9)
        lane.value(at: 9) { "b" }
      } == "────────ab──────")
    #expect(
      draw(8) { lane in
        lane.hop(from: 0, to: 4)
        lane.start(at: 3)
        lane.value(at: 4) { "b" }
      } == "   ├b───")
  }

  @Test("a fold is drawn on the lanes that live through it")
  func folds() {
    let fold = TimeAxis.Fold(times: 0...1, columns: 3..<6)
    #expect(draw(8, folds: [fold]) { $0.live(from: 0) } == "───~~~──")
    #expect(
      draw(8, folds: [fold]) { lane in
        lane.start(at: 0)
        lane.end(.completed, at: 2)
      } == "├─┤     ")
  }
}
