import VarveTesting

/// Every operator, for the laws: a new one is one entry in the table of its kind.
enum OperatorTable {
  static var all: [OperatorUnderTest] { unary + joining + timed }
}
