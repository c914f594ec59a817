import Testing
import VarveMarbles

@Suite("Columns that text takes")
struct DisplayWidthTests {
  @Test(
    "wide characters take two columns, combining ones none",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("😀", 2), ("👩‍👩‍👧", 2), ("─●┤", 3),
      ("한", 2), ("\u{200b}", 0), ("⌫", 1), ("❤️", 2),
    ])
  func widths(text: String, columns: Int) {
    #expect(DisplayWidth.of(text) == columns)
  }

  @Test(
    "a cut text fits with its ellipsis",
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("漢字漢字", 5, "漢字…"), ("漢字漢字", 6, "漢字…"),
      ("ab", 1, "…"),
    ])
  func cuts(text: String, width: Int, cut: String) {
    #expect(DisplayWidth.cut(text, to: width, ellipsis: "…") == cut)
  }

  @Test("a name that is too long keeps both ends")
  func middle() {
    #expect(Chart.middleCut("keystrokes.debounce", to: 11, ellipsis: "…") == "keyst…ounce")
    #expect(Chart.middleCut("short", to: 11, ellipsis: "…") == "short")
  }

  @Test(
    "a derived name loses operators from the left, then arguments, and never a part of an operator",
    arguments: [
      (60, "query.flatMap(.latest, _:).debounce(150ms, on: Queue(main))"),
      (59, "query.flatMap(.latest, _:).debounce(150ms, on: Queue(main))"),
      (58, "….flatMap(.latest, _:).debounce(150ms, on: Queue(main))"),
      (40, "….debounce(150ms, on: Queue(main))"), (22, "….debounce(150ms, on…)"),
      (13, "….debounce(…)"), (12, "….debounce(…"), (8, "….debou…"),
    ])
  func derived(width: Int, cut: String) {
    let name = "query.flatMap(.latest, _:).debounce(150ms, on: Queue(main))"
    #expect(NameCut.cut(name, to: width, ellipsis: "…") == cut)
  }

  @Test(
    "a scheduler keeps its own name whole while that fits, and the process that it belongs to",
    arguments: [
      ("QueueScheduler(search)", 21, "QueueSchedul…(search)"),
      ("QueueScheduler(search)", 13, "Queu…(search)"),
      ("QueueScheduler(search)", 9, "…(search)"), ("QueueScheduler(search)", 8, "…(se…ch)"),
      ("Shop[8170] QueueScheduler(search)", 29, "…[8170] QueueSchedul…(search)"),
      ("Shop[8170] QueueScheduler(search)", 17, "…[8170] …(search)"),
      ("Shop[8170] QueueScheduler(search)", 15, "QueueS…(search)"),
      ("Shop[8170] worker 8172", 19, "…[8170] worker 8172"),
      ("Shop[8170] worker 8172", 18, "…worker 8172"), ("worker 8172", 8, "wor…8172"),
    ])
  func schedulers(name: String, width: Int, cut: String) {
    #expect(NameCut.middle(name, to: width, ellipsis: "…") == cut)
    #expect(NameCut.cut(name, to: width, ellipsis: "…") == cut)
  }

  @Test("a file's ending is no operator, and joins keep what joins")
  func borders() {
    #expect(NameCut.cut("pipe@Shop.swift:12.map(_:)", to: 12, ellipsis: "…") == "….map(_:)")
    #expect(NameCut.cut("pipe@Shop.swift:12", to: 11, ellipsis: "…") == "pipe@…ft:12")
    #expect(NameCut.cut("merge(one.map(_:), two)", to: 15, ellipsis: "…") == "merge(one.map…)")
  }
}
