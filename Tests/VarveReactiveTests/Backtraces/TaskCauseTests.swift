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

  @Test("K3: each of 100,000 tasks that live at the same time keeps what it got, and no other")
  func crowd() async {
    let count = 100_000
    let barrier = Barrier(count)
    let kept = await withTaskGroup(of: Bool.self) { group in
      for number in 1...UInt64(count) {
        group.addTask {
          guard vv_task_cause() == 0 else { return false }
          vv_task_note_cause(number)
          await barrier.wait()
          return vv_task_cause() == number
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(kept == count)
  }

  @Test("K3: where the layout of tasks is not known, some forget what they got, none has another's")
  func table() {
    let places = UInt64(VV_TASKS_NOTED)
    let count = places + places / 4
    for number in 1...count { vv_task_table_keep(number, number << 8) }
    for number in 1...count {
      let found = vv_task_table_find(number)
      #expect(found == (number <= places / 4 ? 0 : number << 8), "\(number)")
    }
  }
}
