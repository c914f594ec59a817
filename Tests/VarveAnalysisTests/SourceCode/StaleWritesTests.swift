import Testing

@testable import VarveAnalysis

/// What a function writes after a wait of what it had looked at before, by its source.
@Suite("Writes of what was read before a wait")
struct StaleWritesTests {
  /// The write in a function whose third line waits; its body begins in the second one.
  private func write(_ body: String) throws -> StaleWrites.Write? {
    let file = try SourceFile("func run(count: Int) async {\n" + body + "\n}\n")
    var writes = StaleWrites()
    return writes.write(after: file.frame(3))
  }

  @Test("G1: what was made of a value before a wait, and is set to it after that, is told")
  func made() throws {
    let found = try write("let before = miles\nlet more = await ask()\nmiles = before + more")
    #expect(found?.name == "miles" && found?.place.line == 4 && found?.form == .made)
    let far =
      "let before = self.miles\nlet more = await ask()\nlet sum = before + more\nself.miles = sum"
    #expect(try write(far)?.place.line == 5)
    #expect(try write("\nlist = await merged(list, count)")?.place.line == 3)
    #expect(try write("\nlet all = await merged(list)\nlist = all")?.place.line == 4)
  }

  @Test("G1: what was awaited with a list, which is emptied after that, is told")
  func emptied() throws {
    let found = try write(
      "guard !unsent.isEmpty else { return }\nawait send(unsent)\nunsent.removeAll()")
    #expect(found?.name == "unsent" && found?.place.line == 4 && found?.form == .emptied)
    #expect(try write("let batch = unsent\nawait send(batch)\nunsent = []")?.place.line == 4)
    // It was taken before the wait.
    #expect(try write("let batch = unsent; unsent = []\nawait send(batch)\nprint(batch)") == nil)
    #expect(try write("let batch = unsent; unsent = []\nawait send(batch)\nunsent = []") == nil)
    // A task is awaited, and not handed over.
    #expect(try write("\nawait loading?.value\nloading = nil") == nil)
    #expect(try write("\nawait send(loading.value, unsent)\nunsent = []")?.form == .emptied)
  }

  @Test("G1: a wait that returns, and one of a closure in the same line, come before nothing")
  func leaving() throws {
    let rest = "\nloads[id] = load\nlet value = await load.value\nready[id] = value"
    #expect(
      try write(
        "if let value = ready[id] { return value }\n"
          + "if let load = loads[id] { return await load.value }\nlet load = Task { await fetch(id) }"
          + rest) == nil)
    #expect(
      try write(
        "if let load = loads[id] { return load }\nlet load = Task { await fetch(id) }" + rest)
        == nil)
  }

  @Test("G1: an `if` whose block waits, and which does not ask again, is told")
  func askedOnce() throws {
    let found = try write("if used >= count {\nawait sleep()\n}\nused += 1")
    #expect(found?.name == "used" && found?.place.line == 2 && found?.form == .askedOnce)
    #expect(
      try write("if used >= count {\nawait sleep()\nused += 1\n}")?.form == .checked)
    #expect(try write("while used >= count {\nawait sleep()\n}\nused += 1") == nil)
  }

  @Test("G1: what one task gets for all is told where it is kept, if it may have been forgotten")
  func forgotten() throws {
    let load =
      "if let one = all[count] { return }; if let task = loading[count] { return }; loading[count] = 1"
      + "\nlet new = await ask()\nall[count] = new"
    func forgetting(_ statement: String) -> String {
      load + "\n}\nfunc forget(_ id: Int) {\n\(statement)"
    }
    let found = try write(forgetting("all[id] = nil"))
    #expect(found?.name == "all" && found?.place.line == 4 && found?.form == .forgotten)
    #expect(try write(forgetting("self.all.removeValue(forKey: id)"))?.form == .forgotten)
    #expect(try write(forgetting("all.removeAll()"))?.form == .forgotten)
    // Nothing is forgotten, or something else, or what has become too much.
    #expect(try write(load) == nil)
    #expect(try write(forgetting("loading[id] = nil")) == nil)
    #expect(try write(forgetting("all[oldest] = nil")) == nil)
  }

  @Test("G1: a wait is told between a condition and the change that depends on it")
  func checked() throws {
    let found = try write(
      "guard booked.count < mats else { return }\nawait check()\nbooked.append(count)")
    #expect(found?.name == "booked" && found?.place.line == 3 && found?.form == .checked)
    #expect(
      try write("if balance < count { return }\nawait check()\nbalance -= count")?.form == .checked)
    // It is looked at again.
    #expect(
      try write(
        "if balance < count { return }\nawait check()\nguard balance >= count else { return }\nbalance -= count"
      )
        == nil)
    #expect(try write("if isOpen { print() }\nawait check()\nbalance -= count") == nil)
    #expect(
      try write("if let one = all[count] { return }\nawait check()\nall[count] = 1")?.form
        == .sought)
    #expect(try write("if let one = all[count] { return }\nawait check()\nall[other] = 1") == nil)
    #expect(
      try write(
        "if let one = all[count] { return }\nall[count] = 1\nawait check()\nall[count] = 2") == nil)
  }

  @Test("G1: a position that was found before a wait, and is used after it, is told if things move")
  func placed() throws {
    let moving = "\n}\nfunc add() { rows.insert(0, at: 0)"
    let found = try write(
      "let row = rows.firstIndex(of: count)!\nawait ask()\nrows[row] = 1" + moving)
    #expect(found?.name == "rows" && found?.place.line == 3 && found?.form == .placed)
    #expect(
      try write("for row in rows.indices {\nawait ask()\nself.rows[row].name = 1 }" + moving)?.form
        == .placed)
    #expect(
      try write("let end = self.rows.count\nawait ask()\nrows.insert(1, at: end)")?.form == .placed)
    // It is looked up again, or nothing moves, or what moves is the function's own.
    #expect(
      try write(
        "let row = rows.firstIndex(of: count)!\nawait ask()\nlet row = rows.firstIndex(of: 2)!; rows[row] = 1"
          + moving) == nil)
    #expect(try write("let row = rows.firstIndex(of: count)!\nawait ask()\nrows[row] = 1") == nil)
    #expect(
      try write(
        "var rows = [1]; let row = rows.firstIndex(of: 1)!\nawait ask()\nrows[row] = 1" + moving)
        == nil)
  }

  @Test("G1: what is fresh, is a function's own, has a key, or is guarded, tells nothing")
  func harmless() throws {
    #expect(try write("\nlet more = await ask()\nmiles = miles + more") == nil)
    #expect(try write("var sum = count\nlet more = await ask()\nsum = sum + more") == nil)
    #expect(try write("let old = all[3]\nlet new = await ask(old)\nall[3] = new") == nil)
    #expect(
      try write(
        "let page = next; isBusy = true\nlet found = await ask(page)\nnext = page + 1; isBusy = false"
      )
        == nil)
    // Another one of the same name, in a block of its own.
    #expect(
      try write(
        "if let kept = all.first { return kept }\nlet new = await ask()\nlet kept = new; all = kept"
      )
        == nil)
    #expect(try write("\nawait ask()\nmiles = 3") == nil)
    #expect(try write("let before = miles\nask()\nmiles = before + 1") == nil)
  }
}
