public import VarveReactive

extension Signal {
  /// Writes a line for each value. The former name of `logValues`.
  public func logNext(
    identifier: String = "", fileName: String = #fileID, functionName: String = #function,
    lineNumber: Int = #line, to log: EventLog = .standardOutput
  ) -> Signal {
    logValues(
      identifier: identifier, fileName: fileName, functionName: functionName,
      lineNumber: lineNumber, to: log)
  }
}

extension SignalProducer {
  /// Writes a line for each value. The former name of `logValues`.
  public func logNext(
    identifier: String = "", fileName: String = #fileID, functionName: String = #function,
    lineNumber: Int = #line, to log: EventLog = .standardOutput
  ) -> SignalProducer {
    logValues(
      identifier: identifier, fileName: fileName, functionName: functionName,
      lineNumber: lineNumber, to: log)
  }
}
