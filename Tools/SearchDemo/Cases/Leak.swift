import Varve

/// Pages that are opened and closed, each in the colours of the theme. What a page observes outlives
/// it: the theme never ends.
struct Leak {
  private static let theme = MutableProperty("light", named: "theme")

  func run() {
    let theme = Self.theme
    let (opened, open) = Signal<Int, Never>.pipe(named: "opened")
    opened.observeValues { number in
      let page = Page(number: number)
      let paper = theme.signal.map { "\($0) paper" }.named("page.paper")
      paper.observeValues { page.paint($0) }  // culprit
    }
    for number in 1...24 { open.send(value: number) }
    theme.value = "dark"
    print("24 pages were opened and closed; \(Page.alive) are still painted")
  }
}
