/// The columns of a table that a line has no room for, in one order for all tables.
///
/// First, texts shorten, the widest first, down to a width at which they can be read. Then columns
/// go, those first that a table can do without, and after each the texts grow again; those for which
/// there is room all the same come back. At last, texts shorten to what is barely recognized. Columns that the next command needs, such as events,
/// threads and places, are neither shortened nor left out.
struct ColumnFit {
  struct Column {
    /// The width that the contents ask for.
    var width: Int
    /// The width down to which a text shortens before columns go.
    var readable: Int
    /// The width down to which it shortens at last.
    var least: Int
    /// When the column goes, the lowest first; nil for one that stays.
    var rank: Int?

    /// A column that stays as it is, or goes whole.
    static func whole(_ width: Int, rank: Int? = nil) -> Column {
      Column(width: width, readable: width, least: width, rank: rank)
    }

    /// A text that shortens and stays.
    static func text(_ width: Int, readable: Int = 24, least: Int = 12, rank: Int? = nil) -> Column
    {
      Column(
        width: width, readable: min(width, readable), least: min(width, least), rank: rank)
    }
  }

  /// Returns the width of each column, nil for those left out.
  ///
  /// - Parameter room: the width of a line; columns are two apart.
  static func widths(_ columns: [Column], in room: Int) -> [Int?] {
    var widths: [Int?] = columns.map(\.width)
    func excess() -> Int { widths.compactMap { $0 }.reduce(-2) { $0 + $1 + 2 } - room }
    func shorten(to floor: KeyPath<Column, Int>) {
      for index in columns.indices where widths[index] != nil {
        widths[index] = columns[index].width
      }
      while excess() > 0 {
        let candidates = columns.indices.filter {
          (widths[$0] ?? 0) > columns[$0][keyPath: floor]
        }
        guard let widest = candidates.max(by: { (widths[$0] ?? 0) < (widths[$1] ?? 0) }) else {
          return
        }
        widths[widest] = (widths[widest] ?? 0) - 1
      }
    }
    shorten(to: \.readable)
    let leaving = columns.indices.filter { columns[$0].rank != nil }
      .sorted { (columns[$0].rank ?? 0) < (columns[$1].rank ?? 0) }
    for index in leaving where excess() > 0 {
      widths[index] = nil
      shorten(to: \.readable)
    }
    for index in leaving.reversed() where widths[index] == nil {
      widths[index] = columns[index].width
      if excess() > 0 { widths[index] = nil }
    }
    if excess() > 0 { shorten(to: \.least) }
    return widths
  }
}
