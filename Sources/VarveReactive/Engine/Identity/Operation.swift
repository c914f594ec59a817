package import VarveProbe

/// What made a stream: an operator or a kind of source, with the arguments that a name shows.
///
/// It is a record, not a text: nothing is rendered until somebody reads a name.
package struct Operation: Sendable {
  /// An argument as a name shows it. Values of streams and closures are never shown.
  package enum Argument: Sendable {
    case count(Int)
    case duration(Duration)
    case label(String)
    /// The parent with this index.
    case parent(Int)
    /// All parents.
    case parents

    /// The scheduler's own description, taken now: a name must not keep a scheduler alive. The
    /// library's schedulers have theirs ready.
    package static func scheduler(_ scheduler: any Scheduler) -> Argument {
      .label(SchedulerIdentity.name(of: scheduler))
    }
  }

  /// Where the operator's name stands in the derived name.
  package enum Form: Sendable {
    /// A source: it has no receiver and is called after its place.
    case source
    /// A method on the first parent.
    case method
    /// A static function of all parents.
    case function
  }

  /// Varve's rendering, each `$` standing for the next argument: `take(first: $)`.
  package let label: StaticString
  /// The rendering of another `NameStyle`, where it does not follow from the label.
  package let alias: StaticString?
  package let form: Form
  let arguments: [Argument]
  /// Why the operator swallows values when it does.
  let absorbs: AbsorptionReason?
  /// What kind of stream it makes, whatever it is made of.
  let traits: StreamTraits
  /// Whether the derived name leaves the operator out (logging, renaming).
  let isTransparent: Bool

  package init(
    _ label: StaticString, alias: StaticString? = nil, form: Form = .method,
    _ arguments: [Argument] = [],
    absorbs: AbsorptionReason? = nil, traits: StreamTraits = [], isTransparent: Bool = false
  ) {
    self.label = label
    self.alias = alias
    self.form = form
    self.arguments = arguments
    self.absorbs = absorbs
    self.traits = absorbs == nil ? traits : traits.union(.swallows)
    self.isTransparent = isTransparent
  }

  /// A kind of source.
  package static func source(
    _ kind: StaticString, alias: StaticString? = nil, traits: StreamTraits = []
  ) -> Operation {
    Operation(kind, alias: alias, form: .source, traits: traits)
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
  /// `debounce(,on:)` as `debounce(_:on:)`; a label without a colon in front of its comma is `_:`.
  fileprivate func replacingCommas() -> String {
    guard let open = firstIndex(of: "("), hasSuffix(")") else { return self }
    let inside = self[index(after: open)..<index(before: endIndex)]
    if inside == "_:" || (inside.isEmpty && hasSuffix("()")) { return self }
    let labels = inside.split(separator: ",", omittingEmptySubsequences: false)
    return self[...open] + labels.map { $0.hasSuffix(":") ? String($0) : "_:" }.joined() + ")"
  }
}
