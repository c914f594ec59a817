internal import CVarveSystem
internal import VarveProbe

/// Lets the inner streams that one place of the program makes again and again count as one.
///
/// A `flatMap` that handles a million values makes a million inner producers. Their runs tell them
/// apart; as streams they are one, because otherwise they would flood the trace with definitions. A
/// scope is in force while the closure of a `flatMap` makes an inner stream.
///
/// The inner streams keep the scope, and the user may keep them, so a scope keeps nothing of its
/// maker alive.
final class TemplateScope: @unchecked Sendable {
  // Safety: immutable; weak references are read atomically.

  /// The properties that make two recipes the same stream.
  struct Template: Hashable {
    var label: String
    var name: String?
    var place: Place?
    var parents: [UInt32]
    var valueType: ObjectIdentifier
    /// A number for the way to the code that makes it, if nothing else tells its place; else 0.
    var way: UInt64
  }

  /// The producer that makes the inner streams. Their table is kept with its identity, because the
  /// producer may itself be made again and again inside another `flatMap`.
  private weak let maker: StreamTitle?
  /// The table of the inner streams if their maker is a signal or an action, which is made once.
  /// Their parents may lead to the maker's identity, which therefore cannot keep the table.
  private let table: TemplateTable?

  /// - Parameter maker: the `flatMap`, or the action.
  init(of maker: StreamReference) {
    switch maker {
    case .title(let title):
      self.maker = title
      table = nil
    case .identity:
      self.maker = nil
      table = TemplateTable()
    }
  }

  /// - Parameter maker: the root that the `flatMap` delivers to.
  convenience init<Value, Failure>(of maker: Root<Value, Failure>) {
    self.init(of: maker.reference)
  }

  /// The scope in force on this thread.
  static var current: TemplateScope? {
    vv_template_scope_current().map {
      Unmanaged<TemplateScope>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Runs `body` with this scope in force.
  @inline(__always)
  func run<Result>(_ body: () -> Result) -> Result {
    let (outer, frame) = (vv_template_scope_current(), vv_template_frame())
    vv_template_scope_set(Unmanaged.passUnretained(self).toOpaque(), 0)
    defer { vv_template_scope_set(outer, frame) }
    return body()
  }

  /// Returns the stream shared by all recipes like this one, or a separate one if the maker is
  /// gone.
  func identity(of title: StreamTitle) -> StreamIdentity {
    let table = table ?? maker?.identity.templates
    return table?.identity(of: title) ?? title.newIdentity()
  }
}

/// The inner streams that a `flatMap` or an action is known to make.
final class TemplateTable: Sendable {
  /// The maximum number of templates. Further inner streams are kept apart; otherwise, names made
  /// of values would grow without bound.
  private static let mostTemplates = 256
  /// The number from which on ways no longer tell templates apart: code that calls itself has many.
  private static let mostWithWays = 128

  private let known = Lock<[TemplateScope.Template: StreamIdentity]>([:])

  /// Returns the stream shared by all recipes like this one.
  func identity(of title: StreamTitle) -> StreamIdentity {
    var template = title.template
    let identity = known.withLock { known -> StreamIdentity? in
      if let identity = known[template] { return identity }
      if known.count >= Self.mostWithWays { template.way = 0 }
      return known[template]
    }
    if let identity { return identity }
    let new = title.newIdentity()
    return known.withLock { known in
      if let other = known[template] { return other }
      guard known.count < Self.mostTemplates else { return new }
      known[template] = new
      return new
    }
  }
}
