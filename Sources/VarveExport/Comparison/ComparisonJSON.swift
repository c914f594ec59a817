public import VarveAnalysis
internal import VarveFormat

/// Writes a comparison as JSON objects, one a line.
///
/// The keys are a promise: `kind` (`differs`, or `only` for a stream that one trace has), `name`, then
/// of `differs` the `ordinal` of the delivery from 1, and of each side the event's name or null
/// (`left`, `right`), its value (`left_value`, `right_value`) and the number of deliveries
/// (`left_count`, `right_count`); of `only`, the `side`. If a trace has tasks, the last object has the
/// `kind` `tasks` and how many each trace has, `left_count` and `right_count`: they are not compared.
public struct ComparisonJSON {
  private let left: ComparisonText.Side
  private let right: ComparisonText.Side

  /// Prepares to compare two traces.
  public init(_ left: ComparisonText.Side, _ right: ComparisonText.Side) {
    self.left = left
    self.right = right
  }

  /// Returns the objects, with a line break after each.
  public func text(_ comparison: TraceComparison) -> String {
    (comparison.divergences.map(object) + comparison.onlyLeft.map { only($0, "left") }
      + comparison.onlyRight.map { only($0, "right") } + tasks).map { $0 + "\n" }.joined()
  }

  /// How many tasks there are, if there are any.
  private var tasks: [String] {
    guard left.tasks + right.tasks > 0 else { return [] }
    return [
      JSONMembers().adding("kind", "\"tasks\"").adding("left_count", String(left.tasks))
        .adding("right_count", String(right.tasks)).text
    ]
  }

  private func object(_ divergence: TraceComparison.Divergence) -> String {
    JSONMembers().adding("kind", "\"differs\"")
      .adding("name", JSONText.quoted(divergence.name))
      .adding("ordinal", String(divergence.ordinal))
      .adding("left", divergence.left?.json ?? "null")
      .adding("right", divergence.right?.json ?? "null")
      .adding("left_value", value(divergence.left, left))
      .adding("right_value", value(divergence.right, right))
      .adding("left_count", String(divergence.leftCount))
      .adding("right_count", String(divergence.rightCount)).text
  }

  private func only(_ name: String, _ side: String) -> String {
    JSONMembers().adding("kind", "\"only\"").adding("name", JSONText.quoted(name))
      .adding("side", "\"\(side)\"").text
  }

  private func value(_ name: EventName?, _ side: ComparisonText.Side) -> String {
    name.flatMap { side.lookup[$0] }.map { JSONText.quoted(side.words.predicate($0)) } ?? "null"
  }
}
