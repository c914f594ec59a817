internal import VarveProbe

/// How telling each kind of stop is, from 0 to 100.
enum StopWeight {
  /// More than that of the failure which reached an observer, at a distance of some operators.
  static let endedByInner = 97
  static let failed = 92
  static let abandoned = 88
  static let handledLast = 86
  static let restarted = 86
  static let stuck = 82
  static let handled = 60
  static let silent = 64
  static let unclear = 38
  static let sourceEnded = 34
  static let sourceSilent = 20
  /// Of values that a join could make nothing of, since another of its inputs is silent.
  static let following = 6
  /// Less than an unstarted producer: what should have changed the property tells more.
  static let unchanged = 39
  static let confused = 68
  static let unobserved = 60
  static let replayed = 58
  static let waited = 50
  /// Of values that a shared stream had sent before; who observes a signal late often wants the new ones alone.
  static let sharedEarlier = 30
  static let unstarted = 40
  /// Of values that a buffer dropped, since the code that reads them was too slow.
  static let unread = 56

  /// Added for something that happened after the asked stream's last value.
  static let since = 15
  /// Added for a timeout to the weight of what handled or observed its failure: why it failed tells more
  /// than who saw it.
  static let timedOut = 1
  /// Added for an unstarted producer with side effects, which may be what should have sent.
  static let effects = 5
  /// Subtracted for a stream that the library made as a part of another.
  static let part = 40
  /// Subtracted for an end of one inner stream of many.
  static let innerEnd = 30
  /// Subtracted for values that are hardly missed.
  static let harmless = 24
  /// The greatest distance that is subtracted.
  static let farthest = 12

  /// An end that cut off values outweighs all but failures; any other may only be the program's.
  ///
  /// - Parameter isByValue: whether a value ended it, as of a trigger or the last of a limited number.
  static func ended(more: UInt64, isByValue: Bool = false) -> Int {
    more > 0 ? 90 : isByValue ? 36 : 26
  }

  static func cutOff(share: Double) -> Int { 34 + Int(30 * share) }

  static func gaveUp(share: Double) -> Int { 40 + Int(40 * share) }

  static func swallowed(_ reason: AbsorptionReason, share: Double, isSince: Bool) -> Int {
    let later = isSince ? since : 0
    switch reason {
    case .filtered: return 30 + Int(35 * share) + later + (share >= 1 ? 10 : 0)
    case .repeated: return 12
    case .superseded: return 14 + Int(10 * share) + later / 2
    case .notSampled: return 30 + Int(20 * share) + later
    case .pastLimit: return 24 + Int(20 * share) + later
    case .ended: return isSince ? 78 : 44
    case .nobodyAttached: return 50
    case .gathered: return isSince ? 46 : 8
    case .control: return 5
    }
  }
}
