import Testing
import VarveProbe

@testable import VarveRecorder

@Suite("The modules that a recording knows")
struct KnownModulesTests {
  private let loaded = LoadedModule.all()

  @Test("a module is news until its definition is kept")
  func news() throws {
    try #require(!loaded.isEmpty)
    var known = KnownModules()
    #expect(known.isOutdated(7))
    let news = known.news(loaded)
    #expect(Set(news.map(\.id)).count == loaded.count)
    known.know(news, generation: 7, epoch: known.epoch)
    #expect(known.news(loaded).isEmpty && !known.isOutdated(7) && known.isOutdated(8))
  }

  @Test("T6: when definitions were left out, modules are news again, under the same ids")
  func again() throws {
    var known = KnownModules()
    let news = known.news(loaded)
    known.know(news, generation: 7, epoch: known.epoch)
    known.forgetKept()
    #expect(known.isOutdated(7) && known.news(loaded) == news)
  }

  @Test("T6: what was about to be known when it was forgotten is not known")
  func late() throws {
    var known = KnownModules()
    let (news, epoch) = (known.news(loaded), known.epoch)
    known.forgetKept()
    known.know(news, generation: 7, epoch: epoch)
    #expect(known.isOutdated(7) && known.news(loaded) == news)
  }
}
