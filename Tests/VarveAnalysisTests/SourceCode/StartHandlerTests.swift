import Testing
import VarveProbe

@testable import VarveAnalysis

/// Ways out of start handlers on which a run never ends, by the source.
@Suite("Start handlers in source")
struct StartHandlerTests {
  /// The way out of a handler that begins in the second line, and of the functions below it.
  private func exit(
    _ body: String, head: String = "[self] observer, lifetime in", below: String = ""
  ) throws -> UInt32? {
    let file = try SourceFile(
      "func load() -> SignalProducer<Int, Never> {\nSignalProducer { \(head)\n\(body)\n}\n}\n\(below)\n"
    )
    var handlers = StartHandlers()
    return handlers.exit(ofRunsMadeAt: Place(file: file.path, line: 2))?.line
  }

  private let rest = "\nobserver.send(value: data)\nobserver.sendCompleted()"

  @Test("G1: the only way out of a callback that does not mention the observer is told")
  func silent() throws {
    #expect(try exit("read { data in\nguard let data else { return }\(rest)\n}") == 4)
    #expect(try exit("read { data in\nguard let data,\nlet other else {\nreturn\n}\(rest)\n}") == 5)
    #expect(try exit("read { data in\nif data.isEmpty { return print(1) }\(rest)\n}") == 4)
    #expect(
      try exit(
        "read { answer in\nswitch answer {\ncase .success(let data):\(rest)\ncase .failure: break\n}\n}"
      )
        == 8)
    #expect(try exit("do {\nlet data = try read()\(rest)\n} catch {\nprint(error)\n}") == 7)
    #expect(try exit("read { data in\nif let data {\(rest)\n}\n}") == 4)
    #expect(try exit("read { data in\nif let data {\(rest)\n} else {\nprint(1)\n}\n}") == 7)
    #expect(
      try exit(
        "read { sink in\nguard let sink else { return }\nsink.end()\nrun.sendCompleted()\n}",
        head: "(run: Signal<Int, Never>.Observer, _: Lifetime) in") == 4)
    #expect(try exit("guard isOpen else { return }\nread(observer)") == 3)
    // Values may have gone out before.
    #expect(
      try exit("observer.send(value: 0)\nread { data in\nguard let data else { return }\(rest)\n}")
        == 5)
    #expect(
      try exit(
        "read { [weak self] data in\nguard let self else { return }\nguard let data else { return }"
          + rest + "\n}") == 5)
  }

  @Test("G1: a way out of a function that gets the observer is told")
  func helper() throws {
    let below =
      "func give(_ data: Int?, to sink: Signal<Int, Never>.Observer) {\n"
      + "guard let data else { return }\nsink.send(value: data)\nsink.sendCompleted()\n}"
    #expect(try exit("read { give($0, to: observer) }", below: below) == 7)
    #expect(try exit("read { take($0, observer) }", below: below) == nil)
  }

  @Test(
    "G1: code that ends the run on each way, or hands it on before, or has several, is not told")
  func ended() throws {
    #expect(
      try exit(
        "read { data in\nguard let data else { return observer.sendCompleted() }\(rest)\n}") == nil)
    #expect(
      try exit(
        "start(observer)\nguard isOpen else { return }\nobserver.send(value: 1)\ngo(observer)")
        == nil)
    #expect(
      try exit(
        "read { observer.sendCompleted() }\nguard isOpen else { return }\nobserver.sendCompleted()")
        == nil)
    #expect(
      try exit(
        "read { data in\nguard let data else { return }\nguard data.isWhole else { return }\(rest)\n}"
      )
        == nil)
    // What the observation's end was told to.
    #expect(
      try exit("read { data in\nguard !lifetime.hasEnded else { return }\(rest)\n}") == nil)
    // A callback that comes several times, and ends the run elsewhere.
    #expect(
      try exit(
        "socket.onText { text in\nguard let text else { return }\nobserver.send(value: text)\n}\n"
          + "socket.onClose { observer.sendCompleted() }") == nil)
    #expect(
      try exit(
        "read { step in\nobserver.send(value: step)\nif step == 5 { observer.sendCompleted() }\n}")
        == nil)
    #expect(try exit("guard isOpen else { return }\nobserver.send(value: 1)") == nil)
    // Other closures have no run to end.
    #expect(try exit("guard isOpen else { return }\nobserver.sendCompleted()", head: "_ in") == nil)
  }
}
