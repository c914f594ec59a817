public import VarveReactive

extension Signal {
  /// Writes a line for each value. See `Signal.logValues(identifier:to:)`.
  public func logNext(
    identifier: String = "", file: String = #fileID, function: String = #function,
    line: UInt = #line, to log: EventLog = .standardOutput
  ) -> Signal {
    logValues(identifier: identifier, file: file, function: function, line: line, to: log)
  }
}

extension SignalProducer {
  /// Writes a line for each value. See `Signal.logValues(identifier:to:)`.
  public func logNext(
    identifier: String = "", file: String = #fileID, function: String = #function,
    line: UInt = #line, to log: EventLog = .standardOutput
  ) -> SignalProducer {
    logValues(identifier: identifier, file: file, function: function, line: line, to: log)
  }
}
