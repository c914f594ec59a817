/// The statuses that the command ends with; they are in its manual.
enum ExitStatus: Int32 {
  /// Ran well, and there was something to show.
  case found = 0
  /// Ran well, and nothing matched.
  case nothingMatched = 1
  /// The command was not used as it must be.
  case wrongUsage = 2
  /// The file is no trace, or cannot be read.
  case unreadable = 3
  /// Part of the trace is damaged, or could not be compared; what is intact was shown.
  case damaged = 4
  /// A newer version made the trace.
  case newerVersion = 5
  /// Somebody pressed Control-C.
  case interrupted = 130
}

/// The end of the command before its time, or with a status other than 0.
struct CommandEnd: Error {
  var status: ExitStatus
  var message: String?

  init(_ status: ExitStatus, _ message: String? = nil) {
    self.status = status
    self.message = message
  }
}
