public import VarveAnalysis
internal import VarveFormat

/// Writes a comparison as JSON objects, one a line.
///
/// The keys are a promise: `kind` (`differs`, or `only` for a stream that one trace has), `name`, then
/// of `differs` the `ordinal` of the delivery from 1, and of each side the event's name or null
/// (`left`, `right`), its value (`left_value`, `right_value`) and the number of deliveries
/// (`left_count`, `right_count`); of `only`, the `side`. If a trace has tasks, there is one of the `kind` `task`
/// for each group of them that differs: its `name` or null, how they were made (`task_kind`), the `place` of the code
/// that made them or null, and of each side how many there were, were cancelled, and had not ended (`left_count`,
/// `left_cancelled`, `left_lasting`), how many of these waited (`left_waiting`), and an object with the numbers of those that failed, by error
/// (`left_failed`). The last object then has the `kind` `tasks` and how many each trace has, `left_count` and
/// `right_count`.
public struct ComparisonJSON {
  private let left: ComparisonText.Side
  private let right: ComparisonText.Side

  /// Prepares to compare two traces.
  public init(_ left: ComparisonText.Side, _ right: ComparisonText.Side) {
    self.left = left
    self.right = right
  }

  /// Returns the objects, with a line break after each.
  ///
  /// - Parameters:
  ///   - comparison: what the streams of both runs delivered.
  ///   - tasks: what became of their tasks, if these are compared.
  public func text(_ comparison: TraceComparison, _ tasks: TaskComparison? = nil) -> String {
    (comparison.divergences.map(object) + comparison.onlyLeft.map { only($0, "left") }
      + comparison.onlyRight.map { only($0, "right") } + (tasks?.differences.map(group) ?? [])
      + (tasks.map(count) ?? [])).map { $0 + "\n" }.joined()
  }

  /// How many tasks there are, if there are any.
  private func count(_ tasks: TaskComparison) -> [String] {
    guard tasks.counts.0 + tasks.counts.1 > 0 else { return [] }
    return [
      JSONMembers().adding("kind", "\"tasks\"").adding("left_count", String(tasks.counts.0))
        .adding("right_count", String(tasks.counts.1)).text
    ]
  }

  private func place(_ group: TaskComparison.Group) -> String? {
    group.place.flatMap { left.words.place(.line($0)) }.map(JSONText.quoted)
  }

  private func group(_ difference: TaskComparison.Difference) -> String {
    let group = difference.group
    let start = JSONMembers().adding("kind", "\"task\"")
      .adding("name", group.name.map(JSONText.quoted) ?? "null")
      .adding("task_kind", JSONText.quoted(group.kind.rawValue))
      .adding("place", place(group) ?? "null")
    return [("left", difference.left), ("right", difference.right)].reduce(start) { members, side in
      let failed = side.1.failed.sorted { $0.key < $1.key }.reduce(JSONMembers()) {
        $0.adding(String(JSONText.quoted($1.key).dropFirst().dropLast()), String($1.value))
      }
      return members.adding(side.0 + "_count", String(side.1.made))
        .adding(side.0 + "_cancelled", String(side.1.cancelled))
        .adding(side.0 + "_lasting", String(side.1.lasting))
        .adding(side.0 + "_waiting", String(side.1.waiting))
        .adding(side.0 + "_failed", failed.text)
    }.text
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
