// Symptom: When the session has run out, the app hangs: the page is never loaded, and I have to
// kill the app.
// Looks at: the session's tokens ("tokens")

import Foundation
import Varve

struct Token: Equatable {
  var text: String
  var isExpired: Bool
}

final class Session {
  let tokens: Signal<Token, Never>
  private let input: Signal<Token, Never>.Observer
  private let network = QueueScheduler(name: "network")

  init() {
    let pipe = Signal<Token, Never>.pipe()
    tokens = pipe.output.named("tokens")
    input = pipe.input
  }

  func restore(_ token: Token) { network.schedule { [input] in input.send(value: token) } }

  /// Completes when a new token is there.
  func refresh() -> SignalProducer<Never, Never> {
    SignalProducer { [self] observer, lifetime in
      lifetime += tokens.filter { !$0.isExpired }.observeValues { _ in observer.sendCompleted() }
      lifetime += network.schedule(after: .milliseconds(10)) { [input] in
        input.send(value: Token(text: "b2", isExpired: false))
      }
    }
  }
}

final class PageLoader {
  let loaded = DispatchSemaphore(value: 0)
  private(set) var page = ""

  init(session: Session) {
    session.tokens
      .filter { $0.isExpired }
      .observeValues { _ in _ = session.refresh().waitForEnd() }  // culprit
    session.tokens
      .filter { !$0.isExpired }
      .observeValues { [unowned self] token in
        page = "page for \(token.text)"
        loaded.signal()
      }
  }
}

let session = Session()
let loader = PageLoader(session: session)
session.restore(Token(text: "a1", isExpired: false))
loader.loaded.wait()
print(loader.page)
session.restore(Token(text: "a1", isExpired: true))
loader.loaded.wait()
print(loader.page)
