internal import CVarveSystem
internal import VarveProbe

/// Lets the inner streams that one place of the program makes again and again count as one.
///
/// A `flatMap` that handles a million values makes a million inner producers. They are told apart by
/// their runs; as streams they are one, or they would flood the trace with definitions. A scope is in
/// force while the closure of a `flatMap` makes an inner stream.
///
/// The inner streams keep the scope, and the user may keep these: so it keeps nothing of what made it.
final class TemplateScope: @unchecked Sendable {
  // Safety: immutable; a weak reference is read atomically.

  /// What makes two recipes the same stream.
  struct Template: Hashable {
    var label: String
    var name: String?
    var place: Place?
    var parents: [UInt32]
    var valueType: ObjectIdentifier
  }

  /// The producer that makes them. What is known of them is kept with its identity, because it may
  /// itself be made again and again inside another `flatMap`.
  private weak let maker: StreamTitle?
  /// What is known of them when a signal or an action makes them, which is made once. Their parents
  /// may lead to its identity, which therefore cannot be what keeps them.
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

  /// - Parameter maker: where the `flatMap` delivers.
  convenience init<Value, Failure>(of maker: Root<Value, Failure>) {
    self.init(of: maker.reference)
  }

  /// The scope that is in force on this thread.
  static var current: TemplateScope? {
    vv_template_scope_current().map {
      Unmanaged<TemplateScope>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Runs `body` with this scope in force.
  @inline(__always)
  func run<Result>(_ body: () -> Result) -> Result {
    let outer = vv_template_scope_current()
    vv_template_scope_set(Unmanaged.passUnretained(self).toOpaque())
    defer { vv_template_scope_set(outer) }
    return body()
  }

  /// The one stream of all recipes like this one; one of its own when what made it has gone.
  func identity(of title: StreamTitle) -> StreamIdentity {
    let table = table ?? maker?.identity.templates
    return table?.identity(of: title) ?? title.newIdentity()
  }
}

/// The inner streams that a `flatMap`, or an action, is known to make.
final class TemplateTable: Sendable {
  /// Beyond this many, inner streams are told apart: names made of values would grow without end.
  private static let mostTemplates = 256

  private let known = Lock<[TemplateScope.Template: StreamIdentity]>([:])

  /// The one stream of all recipes like this one.
  func identity(of title: StreamTitle) -> StreamIdentity {
    let template = title.template
    if let identity = known.withLock({ $0[template] }) { return identity }
    let new = title.newIdentity()
    return known.withLock { known in
      if let other = known[template] { return other }
      guard known.count < Self.mostTemplates else { return new }
      known[template] = new
      return new
    }
  }
}
