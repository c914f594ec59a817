import VarveTesting

/// Every operator, for the laws: a new one is one entry in the table of its kind. `OperatorCensus`
/// holds the tables against what is public.
enum OperatorTable {
  static let all =
    unary + joining + timed + overloads + functions + starts
    + convertibles
}
