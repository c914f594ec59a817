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
      FileHandle.standardError.write(Data("\(error.message)\n".utf8))
      exit(error.message == Options.usage ? 0 : 2)
    }
    run(options)
  }

  private static func run(_ options: Options) {
    let documents = options.folders.flatMap(Document.all(below:))
    let interface = QueueScheduler(name: "interface")
    let background = QueueScheduler(name: "search")
    let store = PreviewStore(
      documents, seed: options.seed, answersOn: QueueScheduler(name: "store"))
    let session = SearchSession(
      documents, store: store, interface: interface, background: background)
    Screen().show(session)

    let finished = DispatchSemaphore(value: 0)
    session.run(
      keyboard: { index in
        let keys = options.interactive ? TerminalKeyboard.keys : script(options, index, interface)
        guard let last = options.crashAfter else { return keys }
        return crash(keys, after: last)
      }, finished: { finished.signal() })
    finished.wait()
  }

  private static func script(
    _ options: Options, _ index: Index, _ scheduler: QueueScheduler
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
}
