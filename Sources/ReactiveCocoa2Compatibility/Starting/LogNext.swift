public import VarveReactive

extension Signal {
  /// Writes a line for each value. The former name of `logValues`.
  public func logNext(
    identifier: String = "", file: String = #fileID, function: String = #function,
    line: UInt = #line, to log: EventLog = .standardOutput
  ) -> Signal {
    logValues(identifier: identifier, file: file, function: function, line: line, to: log)
  }
}

extension SignalProducer {
  /// Writes a line for each value. The former name of `logValues`.
  public func logNext(
    identifier: String = "", file: String = #fileID, function: String = #function,
    line: UInt = #line, to log: EventLog = .standardOutput
  ) -> SignalProducer {
    logValues(identifier: identifier, file: file, function: function, line: line, to: log)
  }
}
