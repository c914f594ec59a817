/// A strategy for flattening a stream of streams into one stream.
public struct FlattenStrategy: Sendable, Hashable, CustomStringConvertible {
  enum Kind: Sendable, Hashable {
    case concurrent(limit: UInt)
    case latest
    case race
    case throttle
  }

  let kind: Kind

  /// All inner streams at once.
  public static let merge = FlattenStrategy(kind: .concurrent(limit: .max))
  /// One inner stream after the other, in the order in which they arrived.
  public static let concat = FlattenStrategy(kind: .concurrent(limit: 1))
  /// Only the newest inner stream: each new one replaces its predecessor, which is disposed of.
  public static let latest = FlattenStrategy(kind: .latest)
  /// The first inner stream that sends an event; the others are disposed of. Its interruption
  /// interrupts the output.
  public static let race = FlattenStrategy(kind: .race)
  /// One inner stream at a time; those that arrive in the meantime are ignored. Its interruption
  /// interrupts the output.
  public static let throttle = FlattenStrategy(kind: .throttle)

  /// At most `limit` inner streams at once; the others wait in order.
  ///
  /// - Parameter limit: at least 1.
  public static func concurrent(limit: UInt) -> FlattenStrategy {
    precondition(limit > 0, "at least one inner stream has to be allowed to run")
    return FlattenStrategy(kind: .concurrent(limit: limit))
  }

  /// The traits of the resulting stream.
  var traits: Traits {
    switch kind {
    case .concurrent(limit: 1): [.makesStreams, .holds]
    case .concurrent(limit: .max): [.makesStreams, .runsSideBySide]
    case .concurrent: [.makesStreams, .runsSideBySide, .holds]
    case .latest: [.makesStreams, .replaces]
    case .race, .throttle: .makesStreams
    }
  }

  /// The reason for which it starts no stream for a value, if it may do so.
  var absorbs: Absorption? {
    switch kind {
    case .race, .throttle: .superseded
    case .concurrent, .latest: nil
    }
  }

  /// The strategy as a name shows it: `.latest`.
  public var description: String {
    switch self {
    case .merge: ".merge"
    case .concat: ".concat"
    case .latest: ".latest"
    case .race: ".race"
    case .throttle: ".throttle"
    default:
      if case .concurrent(let limit) = kind { ".concurrent(limit: \(limit))" } else { "" }
    }
  }
}
