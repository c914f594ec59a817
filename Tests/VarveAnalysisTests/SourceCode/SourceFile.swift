import Foundation
import VarveProbe
import VarveTraceScript

@testable import VarveAnalysis

/// A source file that a test has written.
struct SourceFile {
  private let folder = TemporaryFolder()
  let path: String

  init(_ code: String) throws {
    path = folder.file("Code.swift")
    try code.write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// A frame of the program's own code in a line.
  func frame(_ line: UInt32, _ function: String = "run()") -> NamedFrame {
    NamedFrame(
      frame: StackFrame(address: UInt64(line)), function: function, file: path, line: line,
      module: nil, isInlined: false, isMachinery: false)
  }
}
