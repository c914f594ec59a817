// Symptom: Every note that I open and close again makes the app bigger. After a morning of
// notes it is the biggest on the phone.
// Looks at: the sync state that a note shows ("syncState")

import Foundation
import Varve

enum SyncState: Sendable {
  case idle, syncing
}

final class NoteStore: @unchecked Sendable {
  let syncState: Property<SyncState>
  private let disk = QueueScheduler(name: "disk")

  init() {
    let ticks = SignalProducer<Int, Never>.interval(.milliseconds(15), on: disk)
    syncState = Property(
      initial: .idle, then: ticks.map { $0 % 2 == 0 ? SyncState.syncing : .idle })
  }

  func write(_ text: String, to note: Int) -> SignalProducer<Int, Never> {
    SignalProducer(value: text.count).delay(.milliseconds(2), on: disk)
  }
}

final class NoteViewModel: @unchecked Sendable {
  nonisolated(unsafe) static var alive = 0

  let text: MutableProperty<String>
  let state = MutableProperty(SyncState.idle)
  private let number: Int
  private let store: NoteStore

  lazy var save = Action<Void, Int, Never> {  // culprit
    self.store.write(self.text.value, to: self.number)
  }

  init(number: Int, store: NoteStore) {
    self.number = number
    self.store = store
    text = MutableProperty("Note \(number)")
    state <~ store.syncState.producer.named("syncState")
    Self.alive += 1
  }

  deinit { Self.alive -= 1 }
}

final class NoteScreen: @unchecked Sendable {
  private let viewModel: NoteViewModel
  private let subscriptions = CompositeDisposable()
  private(set) var spinnerChanges = 0

  init(_ viewModel: NoteViewModel) {
    self.viewModel = viewModel
    subscriptions += viewModel.state.signal.skipRepeats().observeValues { [weak self] _ in
      self?.spinnerChanges += 1
    }
  }

  func edit(_ text: String) {
    viewModel.text.value += text
    viewModel.save.apply().start()
  }

  deinit { subscriptions.dispose() }
}

let store = NoteStore()
for number in 1...25 {
  let screen = NoteScreen(NoteViewModel(number: number, store: store))
  screen.edit(", edited")
  Thread.sleep(forTimeInterval: 0.03)
}
Thread.sleep(forTimeInterval: 0.05)
print("25 notes closed, \(NoteViewModel.alive) still there")
