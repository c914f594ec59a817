import Testing

@testable import VarveMarbles

@Suite("The axis of time")
struct TimeAxisTests {
  @Test("time runs evenly from the first column to the last")
  func even() {
    let axis = TimeAxis(range: 0...1_000, columns: 10)
    #expect([0, 50, 99, 100, 550, 999, 1_000].map { axis.column($0) } == [0, 0, 0, 1, 5, 9, 9])
    #expect(axis.folds.isEmpty)
  }

  @Test("moments outside fall into the first and the last column")
  func outside() {
    let axis = TimeAxis(range: 500...600, columns: 10)
    #expect(axis.column(0) == 0)
    #expect(axis.column(9_999) == 9)
  }

  @Test("a long idle stretch is folded, and what happened has the room")
  func folds() throws {
    let axis = TimeAxis(range: 0...10_000, busy: [0...100, 9_900...10_000], columns: 40)
    let fold = try #require(axis.folds.first)
    #expect(axis.folds.count == 1)
    #expect(fold.columns.count == TimeAxis.foldWidth)
    #expect(axis.column(100) < fold.columns.lowerBound)
    #expect(axis.column(9_900) >= fold.columns.upperBound)
    #expect(fold.columns.contains(axis.column(5_000)))
    #expect(axis.column(10_000) == 39)
    #expect(axis.column(100) > 12)
  }

  @Test("a pause that matters is not folded")
  func pauses() {
    let busy: [ClosedRange<UInt64>] = [0...100, 250...400, 550...700, 850...1_000]
    #expect(TimeAxis(range: 0...1_000, busy: busy, columns: 80).folds.isEmpty)
  }

  @Test("where everything is slow, nothing is folded")
  func slow() {
    let busy: [ClosedRange<UInt64>] = [0...1, 300...301, 500...501, 800...801, 1_000...1_000]
    #expect(TimeAxis(range: 0...1_000, busy: busy, columns: 80).folds.isEmpty)
  }

  @Test("columns never go back, whatever is folded")
  func monotone() {
    let busy: [ClosedRange<UInt64>] = [10...20, 5_000...5_100, 60_000...60_010, 99_000...99_900]
    for columns in [1, 2, 20, 48, 100, 333] {
      let axis = TimeAxis(range: 0...100_000, busy: busy, columns: columns)
      let drawn = stride(from: UInt64(0), through: 100_000, by: 10).map { axis.column($0) }
      #expect(drawn == drawn.sorted())
      #expect(drawn.allSatisfy { (0..<columns).contains($0) })
    }
  }

  @Test("what is drawn has a column, however short it is and however narrow the chart")
  func shortStretches() {
    let busy: [[ClosedRange<UInt64>]] = [
      [0...0, 1_000...1_000], [0...100, 1_000...1_000], [0...0, 900...1_000],
      [0...1, 400...401, 1_000...1_000], [0...0, 3...3, 500...500, 1_000...1_000],
    ]
    for (columns, busy) in (1...200).flatMap({ columns in busy.map { (columns, $0) } }) {
      let axis = TimeAxis(range: 0...1_000, busy: busy, columns: columns)
      #expect(axis.segments.allSatisfy { !$0.columns.isEmpty }, "\(columns) \(busy)")
      let drawn = (0...1_000 as ClosedRange<UInt64>).map { axis.column($0) }
      #expect(drawn == drawn.sorted() && drawn[0] == 0 && drawn[1_000] < columns)
    }
  }

  @Test("an axis of no length has one moment", arguments: [1, 20, 100])
  func empty(columns: Int) {
    #expect(TimeAxis(range: 7...7, busy: [7...7], columns: columns).column(7) == 0)
  }

  @Test("ticks are 1, 2 or 5 times a power of ten apart")
  func steps() {
    #expect(AxisRuler.step(atLeast: 0) == 1)
    #expect(AxisRuler.step(atLeast: 3) == 5)
    #expect(AxisRuler.step(atLeast: 120_000) == 200_000)
  }

  @Test(
    "durations are short, times are exact",
    arguments: [
      (0, "0 s", "0 s"), (850, "850 ns", "850 ns"), (1_234, "1.23 µs", "1.234 µs"),
      (12_345_678, "12.3 ms", "12.345678 ms"), (999_999, "1000 µs", "999.999 µs"),
      (4_700_000_000, "4.7 s", "4.7 s"), (125_000_000_000, "2 min 5 s", "125 s"),
      (90_000_000_000_000, "1 d 1 h", "90000 s"),
    ])
  func durations(nanoseconds: UInt64, short: String, exact: String) {
    #expect(ElapsedTime.short(nanoseconds: nanoseconds) == short)
    #expect(ElapsedTime.exact(nanoseconds: nanoseconds) == exact)
  }
}
