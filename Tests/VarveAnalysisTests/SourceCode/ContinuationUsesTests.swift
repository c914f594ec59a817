import Foundation
import Testing
import VarveProbe
import VarveTraceScript

@testable import VarveAnalysis

/// What becomes of a continuation, by the source of the code that got it.
@Suite("What becomes of continuations")
struct ContinuationUsesTests {
  private let folder = TemporaryFolder()

  /// The use in a function whose body gets the continuation in line 2.
  private func use(
    _ body: String, isReplaced: Bool = false, isCancelled: Bool = false
  ) throws -> ContinuationUses.Use? {
    let path = folder.file("Code.swift")
    let code = "func wait() async -> Int {\n  await withCheckedContinuation { \(body)\n  }\n}\n"
    try code.write(toFile: path, atomically: true, encoding: .utf8)
    let frames = [
      NamedFrame(
        frame: StackFrame(address: 1), function: "withCheckedContinuation", file: nil, line: 0,
        module: nil, isInlined: false, isMachinery: true),
      NamedFrame(
        frame: StackFrame(address: 2), function: "wait()", file: path, line: 2, module: nil,
        isInlined: false, isMachinery: false),
    ]
    var finder = ContinuationUses()
    return finder.use(in: frames, isReplaced: isReplaced, isCancelled: isCancelled)
  }

  private func line(_ use: ContinuationUses.Use?) -> UInt32? {
    switch use {
    case .forgotten(let place), .replaced(let place), .removed(let place), .uncancelled(let place),
      .unheeded(let place),
      .handedOver(let place):
      place.line
    case nil: nil
    }
  }

  @Test("G1: a way out that does not mention the continuation is told, where others resume it")
  func forgotten() throws {
    let guarded =
      "done in\n load { value in\n guard let value else { return print(1) }\n done.resume(returning: value) }"
    #expect(try line(use(guarded)) == 4 && use(guarded)?.isForgotten == true)
    let caught =
      "done in\n do {\n done.resume(returning: try load())\n } catch {\n print(error)\n }"
    #expect(try line(use(caught)) == 5)
    let cases =
      "done in\n load { result in\n switch result {\n case .one: done.resume(returning: 1)\n default: break\n } }"
    #expect(try line(use(cases)) == 6)
    let typed =
      "(done: CheckedContinuation<Int, Never>) in\n if isOld { return }\n done.resume(returning: 1)"
    #expect(try line(use(typed)) == 3)
  }

  @Test(
    "G1: an `if` that alone has the continuation, and no `else`, is told; one beside others is not")
  func onOneSide() throws {
    let alone = "done in\n queue.async {\n if isOn { done.resume(returning: 1) }\n }"
    #expect(try line(use(alone)) == 4 && use(alone)?.isForgotten == true)
    let other =
      "done in\n if isOn {\n done.resume(returning: 1)\n } else {\n print(1)\n }\n print(2)"
    #expect(try line(use(other)) == 5)
    #expect(try use("done in\n if isOn { done.resume(returning: 1) }\n keep(done)") == nil)
    #expect(try use("done in\n self.done = done\n if isOn { done.resume() }") == nil)
    #expect(try use("done in\n if isOn { done.resume() } else { keep(done) }") == nil)
    #expect(try use("done in\n if isOn { done.resume() } else if isOff { stop() }") == nil)
    #expect(try use("done in\n while isOn {\n if isDue { done.resume() }\n }") == nil)
  }

  @Test("G1: code that resumes it on each way, or that nobody names it in, tells nothing")
  func resumed() throws {
    #expect(
      try use(
        "done in\n load { value in\n guard let value else { return done.resume(returning: 0) }\n done.resume(returning: value) }"
      )
        == nil)
    #expect(try use("waiting.append($0)") == nil)
    // Another function's way out, which never had it.
    #expect(
      try use("done in\n list.filter { if $0 > 1 { return true }; return false }\n keep(done)")
        == nil)
    #expect(try use("done in\n // guard false else { return }\n done.resume(returning: 1)") == nil)
  }

  @Test("G1: a variable for one continuation is told if another task came later; a list is not")
  func replaced() throws {
    let kept = "done in\n self.done = done\n start()"
    #expect(try line(use(kept, isReplaced: true)) == 3)
    #expect(try use(kept) == nil)
    #expect(try use("done in\n all[id] = done\n start()", isReplaced: true) == nil)
    #expect(try use("done in\n all.append(done)", isReplaced: true) == nil)
    // A way out further down leaves it in that variable.
    let guarded = "done in\n self.done = done\n guard !isOn else { return }\n start(done)"
    #expect(try use(guarded, isReplaced: true)?.isForgotten == false)
    #expect(try line(use(guarded, isReplaced: true)) == 3)
    #expect(try line(use(guarded)) == 4)
    let locked = "done in\n lock.withLock { self.done = done }\n if isOn { return }\n start(done)"
    #expect(try line(use(locked, isReplaced: true)) == 3)
    let above = "done in\n guard !isOn else { return }\n self.done = done\n start(done)"
    #expect(try line(use(above, isReplaced: true)) == 3 && use(above)?.isForgotten == true)
    let beside = "done in\n if isOn {\n self.done = done\n } else {\n return\n }\n start(done)"
    #expect(try use(beside, isReplaced: true)?.isForgotten == true)
  }

  @Test(
    "G1: what is made for the continuation and kept by nobody is told; what is given away is not")
  func handedOver() throws {
    let made = "done in\n let reader = Reader { done.resume(returning: $0) }\n reader.start()"
    #expect(try line(use(made)) == 3)
    #expect(try line(use("done in\n let delegate = Delegate(done)\n manager.start()")) == 3)
    #expect(
      try use("done in\n let delegate = Delegate(done)\n self.delegate = delegate\n go()") == nil)
    #expect(try use("done in\n let reader = Reader(done)\n readers.append(reader)") == nil)
    // A delegate is not kept by custom, unless its declaration says otherwise.
    let given = "done in\n let answer = Answer(done)\n picker.delegate = answer\n picker.show()"
    #expect(try line(use(given)) == 3)
    let rest = "\n}\n}\nstruct Picker {\nvar delegate: Answer?\nfunc a() {\nif true {"
    #expect(try use(given + rest) == nil)
    let weak = "done in\n let answer = Answer(done)\n picker.owner = answer"
    #expect(try line(use(weak + rest.replacing("var delegate", with: "weak var owner"))) == 3)
    #expect(try use(weak + rest) == nil)
  }

  @Test("G1: what is taken out under a lock and resumed outside of it is not lost")
  func removedInClosure() throws {
    let resumes =
      "}\n}\nfunc go() {\nlock.withLock { queue.removeFirst() }.resume()\n}\nfunc a() {\nif true {"
    #expect(try use("queue.append($0)\n\(resumes)") == nil)
  }

  @Test("G1: the line that keeps the continuation of a cancelled task is told")
  func uncancelled() throws {
    #expect(try line(use("done in\n found = done", isCancelled: true)) == 3)
    #expect(try use("done in\n found = done") == nil)
    #expect(try use("done in\n keep(done)", isCancelled: true) == nil)
  }

  @Test("G1: a line that takes continuations out without resuming them is told")
  func removed() throws {
    let leave =
      "}\n}\nfunc leave() {\nqueue.removeAll { $0.id == id }\n}\nfunc other() {\nif true {"
    #expect(try line(use("queue.append(Waiter(id: id, turn: $0))\n\(leave)")) == 6)
    #expect(
      try line(
        use(
          "done in\nqueue[id] = done\n}\n}\nfunc leave() {\nqueue[id] = nil\n}\nfunc a() {\nif true {"
        )) == 7)
    #expect(
      try use(
        "queue.append($0)\n}\n}\nfunc go() {\nfor a in queue { a.resume() }\nqueue = []\n}\nfunc a() {\nif true {"
      )
        == nil)
    #expect(
      try use(
        "queue.append($0)\n}\n}\nfunc go() -> Int {\nreturn queue.removeFirst()\n}\nfunc a() {\nif true {"
      ) == nil)
  }

  @Test("G1: the head of a loop is that of the block in which a line stands directly")
  func loopHead() {
    func head(_ code: String, _ line: Int) -> Int? {
      PlainSource(code.split(separator: "\n", omittingEmptySubsequences: false), around: line)
        .headOfLoop
    }
    #expect(head("for a in b {\n  await c()\n}", 2) == 1)
    #expect(head("while !d {\n  // {\n  await c()\n}", 3) == 1)
    #expect(head("for a in b {\n  if a {\n    await c()\n  }\n}", 3) == nil)
    #expect(head("func a() {\n  await c()\n}", 2) == nil)
  }

  @Test("G1: code that computes stands in the outermost loop around it, or at its head")
  func outermostLoop() {
    func head(_ code: String, _ line: Int) -> Int? {
      PlainSource(code.split(separator: "\n", omittingEmptySubsequences: false), around: line)
        .headOfOutermostLoop
    }
    let nested = "func f() {\n  for a in b {\n    while c {\n      d()\n    }\n  }\n  e()\n}"
    #expect(head(nested, 4) == 2 && head(nested, 3) == 2 && head(nested, 2) == 2)
    #expect(head(nested, 7) == nil)
    #expect(head("for a in b {\n  c.map { $0 }\n}", 2) == 1)
    // A closure is a function of its own, and a loop that waits is left now and then.
    #expect(head("for a in b {\n  run {\n    c()\n  }\n}", 3) == nil)
    #expect(head("for await a in b {\n  while c {\n    d()\n  }\n}", 3) == 2)
  }

  /// The line of the code that runs when the task is cancelled which waits in line 2.
  private func handler(
    _ handler: String, isCancelled: Bool = true, keeps: String = "request.start { done.resume() }"
  ) throws -> UInt32? {
    let file = try SourceFile(
      "func wait() { await withTaskCancellationHandler {\nawait withUnsafeContinuation { done in\n"
        + "\(keeps)\n}\n} onCancel: {\n\(handler)\n}\n}\n")
    var finder = ContinuationUses()
    return line(finder.use(in: [file.frame(2)], isReplaced: false, isCancelled: isCancelled))
  }

  @Test(
    "G1: code that runs when a task is cancelled, and does not resume what it waits for, is told")
  func unheeded() throws {
    #expect(try handler("request.abort()") == 6)
    #expect(try handler("kept.resume()") == nil)
    // What takes the continuation out, and does not resume it, tells more.
    let leaving = "leave()\n}\n}\nfunc leave() {\nwaiting.removeAll { $0.isOld }"
    #expect(try handler(leaving, keeps: "waiting.append(done)") == 10)
    #expect(try handler("request.abort()", isCancelled: false) == nil)
  }
}
