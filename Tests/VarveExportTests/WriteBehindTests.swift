import Testing
import VarveProbe
import VarveTraceScript

@testable import VarveExport

/// Output that another thread writes while the next part is made.
@Suite("Output that is written behind")
struct WriteBehindTests {
  /// What a sink was given. Safety: at most one thread calls the sink, and each before the next.
  private final class Received: @unchecked Sendable {
    var bytes: [UInt8] = []
    var calls = 0
  }

  /// Lines of different lengths, a few of them longer than a buffer.
  private static let lines = (0..<40_000).map { index in
    String(repeating: "\(index),", count: index % 9_999 == 7 ? 60_000 : index % 7) + "\n"
  }

  @Test("all bytes arrive, each once and in order, whatever their size")
  func whole() {
    let received = Received()
    let output = ByteOutput(writingBehind: {
      received.bytes += $0
      received.calls += 1
      return nil
    })
    for line in Self.lines { output.write(line) }
    output.flush()
    #expect(received.bytes == Array(Self.lines.joined().utf8))
    #expect(received.calls > 3 && output.isOpen)
  }

  @Test("what is flushed has been written, and goes on")
  func flushed() {
    let received = Received()
    let output = ByteOutput(writingBehind: {
      received.bytes += $0
      return nil
    })
    var expected: [UInt8] = []
    for line in Self.lines.prefix(20_100) {
      output.write(line)
      expected += Array(line.utf8)
      guard expected.count % 11 == 0 else { continue }
      output.flush()
      #expect(received.bytes.count == expected.count)
    }
    output.flush()
    #expect(received.bytes == expected)
  }

  @Test(
    "an error while writing is told, at the end at the latest, and nothing is written after it",
    arguments: [1, 3, 1_000_000])
  func failed(call: Int) {
    let received = Received()
    let output = ByteOutput(writingBehind: { _ in
      received.calls += 1
      return received.calls >= call ? 28 : nil
    })
    for line in Self.lines { output.write(line) }
    output.flush()
    #expect(output.systemError == (call < 1_000 ? 28 : nil))
    #expect(output.isOpen == (call > 1_000))
    let calls = received.calls
    #expect(call > 1_000 || calls == call)
    output.write("more")
    output.flush()
    #expect(received.calls == (call > 1_000 ? calls + 1 : calls))
  }

  @Test("an output that is given up waits for what is being written")
  func givenUp() {
    let received = Received()
    do {
      let output = ByteOutput(writingBehind: {
        received.bytes += $0
        return nil
      })
      for line in Self.lines { output.write(line) }
    }
    let all = Array(Self.lines.joined().utf8)
    #expect(all.starts(with: received.bytes) && received.bytes.count > all.count - 600_000)
  }
}
