// Symptom: I tap on a notification. The app comes up, but no article opens.
// Looks at: opened (the article on the screen)
import Foundation
import Varve

struct Article {
  let id: Int
  let title: String
}

final class LinkCentre {
  let links: Signal<URL, Never>
  private let input: Signal<URL, Never>.Observer

  init() { (links, input) = Signal.pipe(named: "links") }

  func receive(_ url: URL) {
    print("link: \(url.absoluteString)")
    input.send(value: url)
  }
}

final class Library {
  private let titles = [41: "The ice of the lake", 42: "A winter without snow"]

  func article(_ id: Int) -> Article? { titles[id].map { Article(id: id, title: $0) } }
}

final class Router {
  let opened = MutableProperty<Article?>(nil)
  private let library: Library

  init(_ library: Library) { self.library = library }

  func follow(_ centre: LinkCentre) {
    opened
      <~ centre.links
      .filter { $0.host == "article" }
      .compactMap { Int($0.lastPathComponent) }
      .map { [library] in library.article($0) }
  }
}

final class AppDelegate {
  private let centre = LinkCentre()
  private let router = Router(Library())

  func launch(from notification: URL?) {
    showStartPage()
    if let notification { centre.receive(notification) }  // culprit
    router.follow(centre)
  }

  private func showStartPage() {
    print("start page")
    router.opened.signal.named("opened").skipNil().observeValues { print("article: \($0.title)") }
  }

  var title: String { router.opened.value?.title ?? "Start" }
}

let app = AppDelegate()
app.launch(from: URL(string: "news://article/42"))
Thread.sleep(forTimeInterval: 0.1)
print("I see: \(app.title)")
