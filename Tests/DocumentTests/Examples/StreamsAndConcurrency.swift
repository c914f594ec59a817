import Testing
import Varve

private struct LoadingError: Error {}
private typealias Page = Int
private struct Session: Sendable { var user: SignalProducer<User, LoadingError> }
private struct User: Sendable, Equatable { var name: String }

private struct Profile: Sendable, Equatable {
  static let unknown = Profile(title: "?")
  var title: String
}

private struct Server: Sendable {
  func profile(of user: User) async throws -> Profile {
    guard user.name != "nobody" else { throw LoadingError() }
    return Profile(title: user.name)
  }
}

/// What the examples are written in.
private struct App: Sendable {
  let server = Server()
  let drawn = MutableProperty<[String]>([])

  func draw(_ thing: some Sendable) async { drawn.modify { $0.append("\(thing)") } }

  // example
  func show(_ pages: SignalProducer<Page, LoadingError>) async {
    do {
      for try await page in pages.values(buffering: .newest(1)) {
        await draw(page)
      }
    } catch {
      await draw(error)
    }
  }
  // end

  // example
  func currentUser(_ session: Session) async throws(LoadingError) -> User? {
    try await session.user.first()
  }
  // end

  // example
  func profile(of user: User) -> SignalProducer<Profile, any Error> {
    SignalProducer { try await server.profile(of: user) }
  }

  func profiles(of users: Signal<User, Never>) -> Signal<Profile, Never> {
    users.flatMap(.latest) { user in
      profile(of: user).flatMapError { _ in SignalProducer(value: .unknown) }
    }
  }
  // end
}

// example
@MainActor
final class Title {
  private(set) var text = ""

  func follow(_ titles: Signal<String, Never>) {
    titles.observeValuesOnMain { [weak self] in self?.text = $0 }
  }
}
// end

// example
actor Cache {
  private var entries: [String: Int] = [:]

  func count(_ words: Signal<String, Never>) async {
    for await word in words.values(buffering: .unbounded) {
      entries[word, default: 0] += 1
    }
  }
}
// end

@Suite("StreamsAndConcurrency.md") struct StreamsAndConcurrencyExamples {
  @Test("A loop draws the pages, and the failure")
  func loop() async {
    let app = App()
    await app.show(SignalProducer([1, 2]).concat(error: LoadingError()))
    #expect(app.drawn.value.last == "LoadingError()")
  }

  @Test("The first user is the current one, and the one that is shown")
  func profile() async throws {
    let app = App()
    let user = try await app.currentUser(Session(user: SignalProducer(value: User(name: "Ada"))))
    let (users, input) = Signal<User, Never>.pipe()
    let profiles = app.profiles(of: users).values(buffering: .unbounded)
    var iterator = profiles.makeAsyncIterator()
    input.send(value: try #require(user))
    #expect(await iterator.next() == Profile(title: "Ada"))
    input.send(value: User(name: "nobody"))
    #expect(await iterator.next() == .unknown)
  }

  @Test("A title follows what is sent on the main thread") @MainActor
  func title() {
    let (titles, input) = Signal<String, Never>.pipe()
    let title = Title()
    title.follow(titles)
    input.send(value: "Varve")
    #expect(title.text == "Varve")
  }
}
