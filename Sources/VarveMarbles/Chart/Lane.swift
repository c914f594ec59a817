/// The events on one lane of a chart, by column.
///
/// A lane stores one cell per column, whatever the number of events, so a chart of ten million
/// events needs no more memory than one of ten.
package struct Lane: Sendable {
  /// The events in one column.
  struct Cell: Sendable {
    var values = 0
    /// The text of the value, while it is the only one.
    var text = ""
    /// The event of the value, while it is the only one.
    var tag = LaneTag()
    var ending: LaneEnding?
    /// The event of the end.
    var endTag = LaneTag()
    var starts = false
    /// Whether the start in this column follows an end in it.
    var startsAgain = false
    /// The column in which the delivery of something here was given to another scheduler.
    var givenAt: Int?
  }

  /// The name of the lane.
  package var name: String
  /// What stands before the name to say which process the stream is of.
  package var process = ""
  /// The indentation level of the name: 0 for a source.
  package var depth: Int
  private(set) var cells: [Cell]
  private(set) var alive: [Bool]
  private var openFrom: Int?

  /// Creates an empty lane.
  package init(name: String, depth: Int, columns: Int) {
    self.name = name
    self.depth = depth
    cells = Array(repeating: Cell(), count: columns)
    alive = Array(repeating: false, count: columns)
  }

  /// The width of the lane in columns.
  package var columnCount: Int { cells.count }

  /// The greatest number of values in a column.
  var mostValues: Int { cells.lazy.map(\.values).max() ?? 0 }

  /// Whether the stream is alive after the events so far.
  package var isOpen: Bool { openFrom != nil }
  /// Whether another run may begin in a column.
  package func isFree(at column: Int) -> Bool { openFrom == nil && lastColumn <= column }
  /// The last column with an event.
  package private(set) var lastColumn = -1

  /// Notes that the stream is alive, without a sign: it existed before the chart begins, or is hot.
  package mutating func live(from column: Int) {
    if openFrom == nil { openFrom = column }
    lastColumn = max(lastColumn, column)
  }

  /// Adds the beginning of a run.
  package mutating func start(at column: Int) {
    cells[column].starts = true
    cells[column].startsAgain = cells[column].ending != nil
    live(from: column)
  }

  /// Adds a value. `text` is called only if the text may be shown.
  ///
  /// - Parameter tag: the event of the value, in case there is no room for the text.
  package mutating func value(at column: Int, tag: LaneTag = LaneTag(), text: () -> String) {
    cells[column].values += 1
    cells[column].text = cells[column].values == 1 ? text() : ""
    cells[column].tag = tag
    live(from: column)
  }

  /// Adds further values in a column that has one.
  ///
  /// - Parameter tag: the event of the last of them.
  package mutating func values(_ more: Int, at column: Int, tag: LaneTag) {
    cells[column].values += more
    cells[column].text = ""
    cells[column].tag = tag
    live(from: column)
  }

  /// Notes that what happens in a column was brought there by a scheduler that was given it
  /// elsewhere, in an earlier column or the same one.
  package mutating func hop(from given: Int, to column: Int) {
    if cells[column].givenAt == nil { cells[column].givenAt = min(given, column) }
  }

  /// For each column that was brought something by another scheduler, that column and the one in
  /// which the scheduler was given it.
  package var hops: [(from: Int, to: Int)] {
    cells.indices.compactMap { column in cells[column].givenAt.map { (from: $0, to: column) } }
  }

  /// Adds the end of the stream, with a sign.
  ///
  /// - Parameter tag: the event of the end.
  package mutating func end(_ ending: LaneEnding, at column: Int, tag: LaneTag = LaneTag()) {
    if ending >= cells[column].ending ?? ending {
      cells[column].ending = ending
      cells[column].endTag = tag
    }
    cells[column].startsAgain = false
    fade(at: column)
  }

  /// Ends the stream without a sign: it has no observers any more.
  package mutating func fade(at column: Int) {
    let from = openFrom ?? column
    for index in min(from, column)...column { alive[index] = true }
    openFrom = nil
    lastColumn = max(lastColumn, column)
  }

  /// Ends the chart. A stream that is alive continues to its right edge.
  package mutating func close() {
    if openFrom != nil { fade(at: cells.count - 1) }
  }
}
