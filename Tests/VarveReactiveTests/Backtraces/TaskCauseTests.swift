import CVarveSystem
import Testing

/// What tasks are known to have got.
@Suite struct TaskCauseTests {
  /// Lets all who wait go on when so many do.
  private actor Barrier {
    private let count: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { self.count = count }

    func wait() async {
      await withCheckedContinuation { continuation in
        waiting.append(continuation)
        if waiting.count == count {
          for each in waiting { each.resume() }
        }
      }
    }
  }

  @Test("T3: of more tasks than there are places some forget what they got, none has another's")
  func crowd() async {
    let places = Int(VV_TASKS_NOTED)
    let count = places + places / 4
    let barrier = Barrier(count)
    let (kept, forgotten) = await withTaskGroup(of: UInt64.self) { group in
      for number in 1...UInt64(count) {
        group.addTask {
          vv_task_note_cause(number)
          await barrier.wait()
          let found = vv_task_cause()
          return found == 0 || found == number ? found : .max
        }
      }
      var (kept, forgotten) = (0, 0)
      for await found in group {
        #expect(found != .max)
        if found == 0 { forgotten += 1 } else { kept += 1 }
      }
      return (kept, forgotten)
    }
    #expect(kept + forgotten == count)
    #expect(forgotten >= count - places)
    // Tasks of other tests take some of the places, too.
    #expect(kept > places / 2)
  }
}
