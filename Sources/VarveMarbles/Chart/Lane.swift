/// What happened on one lane of a chart, gathered column by column.
///
/// However many events a lane has, it holds no more than one cell a column: so a chart of ten
/// million events needs no more memory than one of ten.
package struct Lane: Sendable {
  /// What happened in one column.
  struct Cell: Sendable {
    var values = 0
    /// The text of the value, while it is the only one.
    var text = ""
    /// Which event the value is, while it is the only one.
    var tag = LaneTag()
    var ending: LaneEnding?
    /// Which event the end is.
    var endTag = LaneTag()
    var starts = false
    /// Whether the start in this column follows an end in it.
    var startsAgain = false
  }

  /// What the lane is called.
  package var name: String
  /// How far its name is indented: 0 for a source.
  package var depth: Int
  private(set) var cells: [Cell]
  private(set) var alive: [Bool]
  private var openFrom: Int?

  /// An empty lane.
  package init(name: String, depth: Int, columns: Int) {
    self.name = name
    self.depth = depth
    cells = Array(repeating: Cell(), count: columns)
    alive = Array(repeating: false, count: columns)
  }

  /// How wide the lane is.
  package var columnCount: Int { cells.count }

  /// Whether the stream lives, as far as the lane has been told.
  package var isOpen: Bool { openFrom != nil }
  /// The last column in which something was told.
  package private(set) var lastColumn = -1

  /// The stream begins to live, without a sign: it lived before the chart begins, or is hot.
  package mutating func live(from column: Int) {
    if openFrom == nil { openFrom = column }
    lastColumn = max(lastColumn, column)
  }

  /// A run of the stream begins.
  package mutating func start(at column: Int) {
    cells[column].starts = true
    cells[column].startsAgain = cells[column].ending != nil
    live(from: column)
  }

  /// A value is delivered. `text` is asked for only when it may be shown.
  ///
  /// - Parameter tag: which event it is, should its text find no room.
  package mutating func value(at column: Int, tag: LaneTag = LaneTag(), text: () -> String) {
    cells[column].values += 1
    cells[column].text = cells[column].values == 1 ? text() : ""
    cells[column].tag = tag
    live(from: column)
  }

  /// The stream ends, with a sign.
  ///
  /// - Parameter tag: which event it is.
  package mutating func end(_ ending: LaneEnding, at column: Int, tag: LaneTag = LaneTag()) {
    if ending >= cells[column].ending ?? ending {
      cells[column].ending = ending
      cells[column].endTag = tag
    }
    cells[column].startsAgain = false
    fade(at: column)
  }

  /// The stream ends without a sign: nobody observes it any more.
  package mutating func fade(at column: Int) {
    let from = openFrom ?? column
    for index in min(from, column)...column { alive[index] = true }
    openFrom = nil
    lastColumn = max(lastColumn, column)
  }

  /// The chart ends; what lives, lives on past its right edge.
  package mutating func close() {
    if openFrom != nil { fade(at: cells.count - 1) }
  }
}
