/// The exit statuses of the command, as listed in its manual.
enum ExitStatus: Int32 {
  /// Success, with something to show.
  case found = 0
  /// Success, but nothing matched.
  case nothingMatched = 1
  /// The command was used incorrectly.
  case wrongUsage = 2
  /// The file is not a trace, or cannot be read or written.
  case unreadable = 3
  /// Part of the trace is damaged or could not be compared, and the intact part was shown; or a
  /// collector refused a part of it.
  case damaged = 4
  /// The trace comes from a newer version.
  case newerVersion = 5
  /// The user pressed Control-C.
  case interrupted = 130
}

/// An early end of the command, or an end with a status other than 0.
struct CommandEnd: Error {
  var status: ExitStatus
  var message: String?

  init(_ status: ExitStatus, _ message: String? = nil) {
    self.status = status
    self.message = message
  }
}
