import Foundation

/// Lines of a table on standard output.
enum Table {
  private static let first = 40
  private static let column = 14

  static func heading(_ title: String, _ columns: [String]) {
    print()
    row(title, columns)
    print(String(repeating: "─", count: first + column * columns.count))
  }

  static func row(_ title: String, _ cells: [String]) {
    let padded = cells.map { String(repeating: " ", count: max(1, column - $0.count)) + $0 }
    print(title.padding(toLength: first, withPad: " ", startingAt: 0) + padded.joined())
  }

  /// Three figures that mean something, or a dash for nothing.
  static func number(_ value: Double?) -> String { value.map { number($0) } ?? "–" }

  /// Three figures that mean something.
  static func number(_ value: Double) -> String {
    switch abs(value) {
    case ..<1: String(format: "%.3f", value)
    case ..<10: String(format: "%.2f", value)
    case ..<100: String(format: "%.1f", value)
    default: String(format: "%.0f", value)
    }
  }
}
