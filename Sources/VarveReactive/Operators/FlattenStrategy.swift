/// How the inner streams of a stream of streams become one.
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
  /// One inner stream after the other, in the order in which they came.
  public static let concat = FlattenStrategy(kind: .concurrent(limit: 1))
  /// Only the newest inner stream: a new one disposes of the one before it.
  public static let latest = FlattenStrategy(kind: .latest)
  /// The first inner stream that sends anything; the others are disposed of. Its interruption ends
  /// the whole.
  public static let race = FlattenStrategy(kind: .race)
  /// One inner stream at a time; those that come meanwhile are ignored. Its interruption ends the
  /// whole.
  public static let throttle = FlattenStrategy(kind: .throttle)

  /// At most `limit` inner streams at once; the others wait in order.
  ///
  /// - Parameter limit: at least 1.
  public static func concurrent(limit: UInt) -> FlattenStrategy {
    precondition(limit > 0, "at least one inner stream has to be allowed to run")
    return FlattenStrategy(kind: .concurrent(limit: limit))
  }

  /// What kind of stream it makes.
  var traits: Traits {
    switch kind {
    case .concurrent(limit: 1): [.makesStreams, .holds]
    case .concurrent(limit: .max): [.makesStreams, .runsSideBySide]
    case .concurrent: [.makesStreams, .runsSideBySide, .holds]
    case .latest: [.makesStreams, .replaces]
    case .race, .throttle: .makesStreams
    }
  }

  /// Why it starts no stream for a value, when it does not.
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
