import DemoCases
import Foundation
import SearchDemo
import Varve

/// Runs the demo. It says nothing about recording: `VARVE_TRACE=FILE` in its environment does.
@main
enum SearchDemoCommand {
  static func main() {
    let options: Options
    do {
      options = try Options(Array(CommandLine.arguments.dropFirst()))
    } catch {
      stop(error.message, status: error.message == Options.usage ? 0 : 2)
    }
    if let mistake = options.mistake {
      mistake.run()
    } else if let file = options.virtual {
      runInVirtualTime(options, recordingTo: file)
    } else {
      runInRealTime(options)
    }
  }

  private static func runInRealTime(_ options: Options) {
    let finished = DispatchSemaphore(value: 0)
    let store = QueueScheduler(name: "store")
    let session = start(
      options, interface: QueueScheduler(name: "interface"),
      background: QueueScheduler(name: "search"), store: store
    ) { finished.signal() }
    withExtendedLifetime(session) { finished.wait() }
  }

  /// Runs the script on a clock that stands still between events, for a trace that is always the
  /// same.
  private static func runInVirtualTime(_ options: Options, recordingTo file: String) {
    let start = SchedulerInstant(nanoseconds: 1)
    let scheduler = TestScheduler(startingAt: start, turningTraceClock: true)
    var recording = Recorder.Options()
    recording.clock = .byHand(from: 1)
    do {
      try Recorder.start(to: file, options: recording)
      let session = self.start(
        options, interface: scheduler, background: scheduler, store: scheduler
      ) {}
      try withExtendedLifetime(session) { try scheduler.run() }
    } catch {
      stop("\(error)", status: 1)
    }
    Recorder.stop()
  }

  /// Starts a session. Its properties end when nobody holds it any more.
  private static func start(
    _ options: Options, interface: any TimedScheduler, background: any TimedScheduler,
    store: any TimedScheduler, finished: @escaping @Sendable () -> Void
  ) -> SearchSession {
    let documents = options.folders.flatMap(Document.all(below:))
    guard !documents.isEmpty else {
      let folders = options.folders.joined(separator: " and ")
      stop("there is no text to search in \(folders) here; try --folder FOLDER", status: 2)
    }
    let session = SearchSession(
      documents, store: PreviewStore(documents, seed: options.seed, answersOn: store),
      interface: interface, background: background)
    Screen().show(session)
    session.run(
      keyboard: { index in
        let keys = options.interactive ? TerminalKeyboard.keys : script(options, index, interface)
        guard let last = options.crashAfter else { return keys }
        return crash(keys, after: last)
      }, finished: finished)
    return session
  }

  private static func script(
    _ options: Options, _ index: Index, _ scheduler: any TimedScheduler
  ) -> SignalProducer<Key, Never> {
    let words = index.words(4, seed: options.seed)
    return Typist.keys(of: Typist.script(seed: options.seed, words: words), on: scheduler)
  }

  /// The keys up to the one at which the program traps.
  private static func crash(
    _ keys: SignalProducer<Key, Never>, after last: Int
  ) -> SignalProducer<Key, Never> {
    keys.scan((count: 0, key: Key.clear)) { ($0.count + 1, $1) }
      .on(value: { if $0.count > last { fatalError("trapped after \(last) keys, as asked for") } })
      .map(\.key)
  }

  private static func stop(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(status)
  }
}
