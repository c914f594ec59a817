internal import VarvePlatform

/// Signals that a program may be sent without meaning to end it.
enum SnapshotSignal {
  private static let numbers: KeyValuePairs<String, Int32> = [
    "USR1": SIGUSR1, "USR2": SIGUSR2, "HUP": SIGHUP, "WINCH": SIGWINCH, "QUIT": SIGQUIT,
  ]

  /// The number of a signal, with or without `SIG` before its name; nil when it is none of these.
  static func number(_ name: String) -> Int32? {
    let name = name.uppercased()
    let bare = name.hasPrefix("SIG") ? String(name.dropFirst(3)) : name
    return numbers.first { $0.key == bare }?.value
  }
}
