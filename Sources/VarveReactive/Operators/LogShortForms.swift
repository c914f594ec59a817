extension Signal {
  /// Writes a line for every event. See
  /// `logEvents(identifier:events:fileName:functionName:lineNumber:to:)`.
  public func logAll(
    identifier: String = "", fileName: String = #fileID, functionName: String = #function,
    lineNumber: Int = #line, to log: EventLog = .standardOutput
  ) -> Signal {
    logEvents(
      identifier: identifier, events: [.value, .failed, .completed, .interrupted],
      fileName: fileName,
      functionName: functionName, lineNumber: lineNumber, to: log)
  }

  /// Writes a line for each value. See
  /// `logEvents(identifier:events:fileName:functionName:lineNumber:to:)`.
  public func logValues(
    identifier: String = "", fileName: String = #fileID, functionName: String = #function,
    lineNumber: Int = #line, to log: EventLog = .standardOutput
  ) -> Signal {
    logEvents(
      identifier: identifier, events: [.value], fileName: fileName,
      functionName: functionName, lineNumber: lineNumber, to: log)
  }

  /// Writes a line for a failure. See
  /// `logEvents(identifier:events:fileName:functionName:lineNumber:to:)`.
  public func logErrors(
    identifier: String = "", fileName: String = #fileID, functionName: String = #function,
    lineNumber: Int = #line, to log: EventLog = .standardOutput
  ) -> Signal {
    logEvents(
      identifier: identifier, events: [.failed], fileName: fileName,
      functionName: functionName, lineNumber: lineNumber, to: log)
  }

  /// Writes a line for completion. See
  /// `logEvents(identifier:events:fileName:functionName:lineNumber:to:)`.
  public func logCompleted(
    identifier: String = "", fileName: String = #fileID, functionName: String = #function,
    lineNumber: Int = #line, to log: EventLog = .standardOutput
  ) -> Signal {
    logEvents(
      identifier: identifier, events: [.completed], fileName: fileName,
      functionName: functionName, lineNumber: lineNumber, to: log)
  }
}

extension SignalProducer {
  /// Writes a line for every event. See
  /// `Signal.logEvents(identifier:events:fileName:functionName:lineNumber:to:)`.
  public func logAll(
    identifier: String = "", fileName: String = #fileID, functionName: String = #function,
    lineNumber: Int = #line, to log: EventLog = .standardOutput
  ) -> SignalProducer {
    logEvents(
      identifier: identifier, events: [.value, .failed, .completed, .interrupted],
      fileName: fileName,
      functionName: functionName, lineNumber: lineNumber, to: log)
  }

  /// Writes a line for each value. See
  /// `Signal.logEvents(identifier:events:fileName:functionName:lineNumber:to:)`.
  public func logValues(
    identifier: String = "", fileName: String = #fileID, functionName: String = #function,
    lineNumber: Int = #line, to log: EventLog = .standardOutput
  ) -> SignalProducer {
    logEvents(
      identifier: identifier, events: [.value], fileName: fileName,
      functionName: functionName, lineNumber: lineNumber, to: log)
  }

  /// Writes a line for a failure. See
  /// `Signal.logEvents(identifier:events:fileName:functionName:lineNumber:to:)`.
  public func logErrors(
    identifier: String = "", fileName: String = #fileID, functionName: String = #function,
    lineNumber: Int = #line, to log: EventLog = .standardOutput
  ) -> SignalProducer {
    logEvents(
      identifier: identifier, events: [.failed], fileName: fileName,
      functionName: functionName, lineNumber: lineNumber, to: log)
  }

  /// Writes a line for completion. See
  /// `Signal.logEvents(identifier:events:fileName:functionName:lineNumber:to:)`.
  public func logCompleted(
    identifier: String = "", fileName: String = #fileID, functionName: String = #function,
    lineNumber: Int = #line, to log: EventLog = .standardOutput
  ) -> SignalProducer {
    logEvents(
      identifier: identifier, events: [.completed], fileName: fileName,
      functionName: functionName, lineNumber: lineNumber, to: log)
  }
}
