import Testing
import VarveProbe
import VarveTestRig
import VarveTracing

@Suite struct TraceTests {
  @Test("K8: marks and lines are in the recording, and are made only for one")
  func marksAndLines() async {
    Trace.log(unwanted())
    let rig = await ProbeRig.record { _ in
      Trace.mark("k8 mark")
      Trace.log("k8 line")
    }
    let own = rig.records.filter { $0.text?.hasPrefix("k8 ") == true }
    #expect(own.map(\.kind) == [.mark, .log])
  }

  private func unwanted() -> String {
    // Suites beside this one may be recording.
    "unwanted"
  }

  @Test("K8: a span begins, causes what happens in it, and completes")
  func span() async {
    let rig = await ProbeRig.record { _ in
      let result = Trace.span("k8.span") { () -> Int in
        Trace.mark("k8 in span")
        return 7
      }
      #expect(result == 7)
      Trace.mark("k8 after span")
    }
    let recorded = Recorded(rig: rig)
    #expect(recorded.kinds("k8.span") == [.subscribed, .completed, .ended])
    let beginning = recorded.records("k8.span", .subscribed).map(\.reference)
    #expect(rig.records.first { $0.text == "k8 in span" }?.causes == beginning)
    #expect(rig.records.first { $0.text == "k8 after span" }?.causes == [])
    #expect(recorded.records("k8.span", .completed).map(\.causes) == [beginning])
  }

  @Test(
    "K3: an asynchronous span causes what happens in it, across suspensions, and nothing after it")
  func asynchronousSpan() async {
    // A task that waits while many thousands of others await something forgets what it awaited: then
    // the test is made again.
    var isKept = false
    for _ in 0..<8 where !isKept {
      let rig = await ProbeRig.record { _ in
        do {
          try await Trace.span("k3.span") {
            await Task.yield()
            Trace.mark("k3 in span")
            throw TestFailure()
          }
          Issue.record("nothing was thrown")
        } catch {
          #expect(error is TestFailure)
        }
        Trace.mark("k3 after span")
      }
      let recorded = Recorded(rig: rig)
      #expect(recorded.kinds("k3.span") == [.subscribed, .failed, .ended])
      let beginning = recorded.records("k3.span", .subscribed).map(\.reference)
      let causes = recorded.all.first { $0.text == "k3 in span" }?.causes
      #expect(causes == beginning || causes == [])
      isKept = causes == beginning
      #expect(recorded.all.first { $0.text == "k3 after span" }?.causes == [])
      #expect(recorded.records("k3.span", .failed).map(\.causes) == [beginning])
    }
    #expect(isKept)
  }

  @Test("K8: spans of one place are one stream, each with a subscription of its own")
  func repeatedSpan() async {
    let rig = await ProbeRig.record { _ in
      for _ in 0..<3 { Trace.span("k8.repeated") {} }
    }
    let recorded = Recorded(rig: rig)
    #expect(recorded.streams("k8.repeated").count == 1)
    #expect(Set(recorded.records("k8.repeated", .subscribed).map(\.subscription)).count == 3)
  }
}
