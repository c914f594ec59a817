// Symptom: I type the number of my box, and the terminal freezes. Only the plug helps.
// Looks at: verdict (the answer of the code check)
import Foundation
import Varve

enum Verdict {
  case granted, refused
}

final class CodeCheck: Sendable {
  let vault = QueueScheduler(name: "vault")
  private let network = QueueScheduler(name: "network")

  func check(_ code: String, of box: Int) -> SignalProducer<Verdict, Never> {
    SignalProducer(value: code)
      .delay(.milliseconds(15), on: network)
      .map { $0 == "\(box)\(box)" ? .granted : .refused }
      .observe(on: vault)
      .named("verdict")
  }
}

final class Terminal {
  let doors = MutableProperty<Set<Int>>([])
  private let codes: CodeCheck

  init(_ codes: CodeCheck) { self.codes = codes }

  func enter(_ code: String, for box: Int, then: @escaping () -> Void) {
    codes.vault.schedule { [self] in
      let answer = codes.check(code, of: box).waitForFirst()  // culprit
      if case .success(.granted)? = answer { doors.modify { _ = $0.insert(box) } }
      then()
    }
  }
}

let terminal = Terminal(CodeCheck())
terminal.doors.signal.observeValues { print("open: \($0)") }
let done = DispatchSemaphore(value: 0)
terminal.enter("1212", for: 12) { done.signal() }
done.wait()
print("please take your things")
