public import VarveProbe

/// Which events somebody wants to see; the same in every verb of the command.
public struct Selection {
  /// Streams whose names match one of these; all when empty.
  public var names: [NamePattern] = []
  /// But not those whose names match one of these.
  public var excluded: [NamePattern] = []
  /// Of these, only those with one of these ids; nil for all.
  public var streams: Set<UInt32>?
  /// Kinds of events.
  public var kinds = KindSelection.all
  /// Not before.
  public var since: TimeExpression?
  /// Not after.
  public var until: TimeExpression?
  /// Of these, at most so many of the first.
  public var head: Int?
  /// Of these, at most so many of the last.
  public var tail: Int?

  /// Everything.
  public init() {}

  /// Whether streams are chosen; then events that belong to no stream are left out.
  public var choosesStreams: Bool { !names.isEmpty || streams != nil }

  /// Whether a stream of this name is chosen.
  public func matches(name: String) -> Bool {
    (names.isEmpty || names.contains { $0.matches(name) })
      && !excluded.contains { $0.matches(name) }
  }

  /// Whether a stream is chosen.
  public func matches(_ stream: StreamDefinition) -> Bool {
    (streams?.contains(stream.id) ?? true) && matches(name: stream.name)
  }
}
