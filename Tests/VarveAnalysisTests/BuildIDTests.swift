import Foundation
import Testing
import VarveTraceScript

@testable import VarveAnalysis

/// Files whose paths a trace names.
@Suite("Build ids")
struct BuildIDTests {
  @Test("F2: a trace that names a pipe for a module does not make the reader wait")
  func pipe() throws {
    let folder = TemporaryFolder()
    let path = folder.file("module.so")
    try #require(mkfifo(path, 0o600) == 0)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      #expect(BuildID.ofFile(at: path) == nil)
      isDone.signal()
    }
    #expect(isDone.wait(timeout: .now() + 20) == .success)
    // Lets a reader go that waits.
    close(open(path, O_RDWR | O_NONBLOCK))
  }
}
