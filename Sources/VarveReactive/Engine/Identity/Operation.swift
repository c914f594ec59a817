package import VarveProbe

/// What made a stream: an operator or a kind of source, with the arguments that a name shows.
///
/// An operation is a record, not text: nothing is rendered until a name is read.
package struct Operation: Sendable {
  /// An argument as a name shows it. Stream values and closures are never shown.
  package enum Argument: Sendable {
    case count(Int)
    case duration(Duration)
    case label(String)
    /// The parent with this index.
    case parent(Int)
    /// All parents.
    case parents

    /// Returns an argument that shows a scheduler. Its description is read now, because a name must
    /// not keep the scheduler alive; the library's schedulers have theirs ready.
    package static func scheduler(_ scheduler: any Scheduler) -> Argument {
      .label(SchedulerIdentity.name(of: scheduler))
    }
  }

  /// The position of the operator in the derived name.
  package enum Form: Sendable {
    /// A source, which has no receiver and is named after its place.
    case source
    /// A method on the first parent.
    case method
    /// A static function of all parents.
    case function
  }

  /// Varve's rendering, each `$` standing for the next argument: `take(first: $)`.
  package let label: StaticString
  package let form: Form
  let arguments: [Argument]
  /// The reason the operator swallows values, if it does.
  let absorbs: AbsorptionReason?
  /// The kind of stream that the operator makes, regardless of its inputs.
  let traits: StreamTraits
  /// Whether the derived name leaves the operator out, as it does for logging and renaming.
  let isTransparent: Bool

  package init(
    _ label: StaticString, form: Form = .method,
    _ arguments: [Argument] = [],
    absorbs: AbsorptionReason? = nil, traits: StreamTraits = [], isTransparent: Bool = false
  ) {
    self.label = label
    self.form = form
    self.arguments = arguments
    self.absorbs = absorbs
    self.traits = absorbs == nil ? traits : traits.union(.swallows)
    self.isTransparent = isTransparent
  }

  /// Returns the operation of a kind of source.
  package static func source(
    _ kind: StaticString, traits: StreamTraits = []
  ) -> Operation {
    Operation(kind, form: .source, traits: traits)
  }

  /// The operator's label without arguments: `take(first:)`, `filter(_:)`, `pipe`.
  var signature: String {
    var text = ""
    for character in label.description where character != "$" && character != " " {
      text.append(character)
    }
    return text.replacingCommas()
  }
}

extension String {
  /// Fills in missing argument labels: `debounce(,on:)` becomes `debounce(_:on:)`. A label without
  /// a colon in front of its comma becomes `_:`.
  fileprivate func replacingCommas() -> String {
    guard let open = firstIndex(of: "("), hasSuffix(")") else { return self }
    let inside = self[index(after: open)..<index(before: endIndex)]
    if inside == "_:" || (inside.isEmpty && hasSuffix("()")) { return self }
    let labels = inside.split(separator: ",", omittingEmptySubsequences: false)
    return self[...open] + labels.map { $0.hasSuffix(":") ? String($0) : "_:" }.joined() + ")"
  }
}
