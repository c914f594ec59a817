extension Signal {
  /// Writes a line for every event. See
  /// `logEvents(identifier:events:file:function:line:to:)`.
  public func logAll(
    identifier: String = "", file: String = #fileID, function: String = #function,
    line: UInt = #line, to log: EventLog = .standardOutput
  ) -> Signal {
    logEvents(
      identifier: identifier, events: [.value, .failed, .completed, .interrupted],
      file: file, function: function, line: line, to: log)
  }

  /// Writes a line for each value. See
  /// `logEvents(identifier:events:file:function:line:to:)`.
  public func logValues(
    identifier: String = "", file: String = #fileID, function: String = #function,
    line: UInt = #line, to log: EventLog = .standardOutput
  ) -> Signal {
    logEvents(
      identifier: identifier, events: [.value], file: file, function: function,
      line: line, to: log)
  }

  /// Writes a line for a failure. See
  /// `logEvents(identifier:events:file:function:line:to:)`.
  public func logErrors(
    identifier: String = "", file: String = #fileID, function: String = #function,
    line: UInt = #line, to log: EventLog = .standardOutput
  ) -> Signal {
    logEvents(
      identifier: identifier, events: [.failed], file: file, function: function,
      line: line, to: log)
  }

  /// Writes a line for completion. See
  /// `logEvents(identifier:events:file:function:line:to:)`.
  public func logCompleted(
    identifier: String = "", file: String = #fileID, function: String = #function,
    line: UInt = #line, to log: EventLog = .standardOutput
  ) -> Signal {
    logEvents(
      identifier: identifier, events: [.completed], file: file, function: function,
      line: line, to: log)
  }
}
