public import VarveAnalysis
internal import VarveProbe

/// Writes tasks for people: a tree, each task with what it waits for and where.
public struct TaskText {
  private let words: TaskWords
  private let showsAll: Bool
  private let style: OutputStyle
  /// Returns how long ago a moment was, in nanoseconds; nil if times are unknown.
  private let nanoseconds: (UInt64) -> UInt64?

  /// Prepares to write.
  ///
  /// - Parameters:
  ///   - tasks: All tasks, also those that are not shown, for their names.
  ///   - symbols: The names of code, which has been looked up.
  ///   - showsAll: Whether the frames of the runtime are shown, too.
  ///   - style: The look.
  ///   - age: Returns how long before the moment shown a tick was, in nanoseconds.
  public init(
    _ tasks: [TaskState], symbols: Symbolizer, showsAll: Bool, style: OutputStyle,
    age: @escaping (UInt64) -> UInt64? = { _ in nil }
  ) {
    words = TaskWords(
      symbols: symbols,
      names: Dictionary(tasks.compactMap { task in task.name.map { (task.id, $0) } }) { $1 },
      ascii: style.ascii)
    self.showsAll = showsAll
    self.style = style
    nanoseconds = age
  }

  /// Returns how long ago a moment was: `1.20 s`; nil if times are unknown.
  private func age(_ tick: UInt64) -> String? {
    nanoseconds(tick).map { DurationWords.text($0, ascii: style.ascii) }
  }

  /// Describes tasks as a tree.
  public func text(_ tree: TaskTree) -> String {
    var lines: [String] = []
    // Whether the ancestor at each depth has a sibling that follows.
    var goesOn: [Bool] = []
    for (index, node) in tree.nodes.enumerated() {
      goesOn.removeLast(max(0, goesOn.count - node.depth))
      goesOn += Array(repeating: false, count: max(0, node.depth - goesOn.count))
      if node.depth == 0, !lines.isEmpty { lines.append("") }
      let isRoot = node.depth == 0
      let stem = goesOn.dropFirst().map { $0 ? bar : "  " }.joined()
      let joint = isRoot ? "" : node.isLast ? corner : fork
      goesOn.append(!node.isLast)
      let hasBelow = tree.nodes[min(index + 1, tree.nodes.count - 1)].depth > node.depth
      let rest = (isRoot ? "" : stem + (node.isLast ? "  " : bar)) + (hasBelow ? bar : "  ")
      lines += self.lines(node, first: isRoot ? "" : stem + joint, rest: rest)
    }
    return lines.map { style.fitted($0) + "\n" }.joined()
  }

  /// Describes in one line how many tasks there are and what they do.
  public func summary(_ tasks: [TaskState]) -> String {
    guard !tasks.isEmpty else { return "no task" }
    func part(_ phase: TaskState.Phase, _ verb: String) -> String? {
      let count = tasks.count { $0.phase == phase }
      return count == 0 ? nil : "\(Counted.grouped(UInt64(count))) \(verb)"
    }
    let parts = [
      part(.running, "running"), part(.enqueued, "ready to run"), part(.suspended, "waiting"),
      part(.ended, "ended"),
    ].compactMap { $0 }
    return "\(Counted.text(UInt64(tasks.count), "task", "tasks")): \(parts.joined(separator: ", "))"
  }

  /// Says in a few lines which tasks keep others waiting; empty if none does.
  ///
  /// - Parameters:
  ///   - tasks: The tasks that are shown.
  ///   - marks: Whether the first place is marked, as the one to look at.
  public func advice(_ tasks: [TaskState], marks: Bool = true) -> String {
    let known = Dictionary(tasks.map { ($0.id, $0) }) { first, _ in first }
    let knots = TaskWaits(tasks).knots
    var lines = [style.paint("what to look at", .bold)]
    guard !knots.isEmpty else {
      let alike = alike(tasks, marks)
      return alike.isEmpty ? "" : (lines + alike).map { style.fitted($0) + "\n" }.joined()
    }
    for (index, knot) in knots.prefix(Self.mostKnots).enumerated() {
      // The place of the first one is marked: it is the line to look at.
      let isMarked = marks && index == 0
      switch knot {
      case .circle(let ids): lines += circle(ids, known, isMarked)
      case .blocked(let ids): lines += blocked(ids, known, isMarked)
      case .end(let id, let waiting): lines += end(id, waiting, known, isMarked)
      }
    }
    if knots.count > Self.mostKnots {
      lines.append("  and \(Counted.grouped(UInt64(knots.count - Self.mostKnots))) more like these")
    }
    return lines.map { style.fitted($0) + "\n" }.joined()
  }

  private static let mostKnots = 5
  /// So many tasks that wait at one place may be more than somebody meant to have.
  private static let fewestAlike = 4

  /// The most tasks that one piece of code has made, and that wait at one place.
  private func alike(_ tasks: [TaskState], _ marks: Bool) -> [String] {
    struct Place: Hashable {
      /// The stack of the code that made it, where that has no lines.
      var made: [StackFrame]
      var lines: [OwnFrame]
      var waiting: [StackFrame]
    }
    let waiting = tasks.filter {
      $0.kind == .task && $0.phase == .suspended && $0.awaiting == .continuation && !$0.made.isEmpty
        && !$0.frames.isEmpty
    }
    var lines: [[StackFrame]: [OwnFrame]] = [:]
    for task in waiting where lines[task.made] == nil {
      lines[task.made] = words.symbols.ownLines(of: task.made)
    }
    let places = waiting.map { task in
      let lines = lines[task.made] ?? []
      return Place(made: lines.isEmpty ? task.made : [], lines: lines, waiting: task.frames)
    }
    let groups = Dictionary(grouping: zip(waiting, places), by: \.1).values.map { $0.map(\.0) }
      .sorted { ($1.count, $0[0].id) < ($0.count, $1[0].id) }
    guard let most = groups.first, most.count >= Self.fewestAlike,
      let frame = words.named(most[0]).own.last(where: { $0.line > 0 }),
      let place = TaskWords.place(frame)
    else { return [] }
    let first = words.title(most[0].id)
    var loops = LoopConditions()
    // Of a loop that is right, the code is to blame that lets it go on.
    if loops.asksForCancellation(around: frame),
      let maker = words.symbols.named(most[0].made).filter({ !$0.isMachinery && $0.line > 0 })
        .mostOwn,
      let made = TaskWords.place(maker)
    {
      var owners = WeakOwners()
      if let hold = owners.hold(takenBy: maker, waitingIn: words.named(most[0]).own) {
        let line = marked(hold.place.description, marks)
        return [
          "  task \(first) and \(Counted.text(UInt64(most.count - 1), "other", "others")) that were made at "
            + "\(made) go on until they are cancelled, at \(place): each keeps \(hold.name), which it was to "
            + "hold weakly, from \(line) on"
        ]
      }
      return [
        "  task \(first) and \(Counted.text(UInt64(most.count - 1), "other", "others")) that were made at "
          + "\(marked(made, marks)) go on until they are cancelled, at \(place): nobody cancels them, and "
          + "each keeps what it uses"
      ]
    }
    let mark = marked(place, marks)
    return [
      "  task \(first) and \(Counted.text(UInt64(most.count - 1), "other", "others")) that the same code made "
        + "wait at \(mark): each keeps what it uses"
    ]
  }

  /// Returns a place, with a mark if it is the one to look at.
  private func marked(_ place: String, _ isMarked: Bool) -> String {
    isMarked ? style.paint((style.ascii ? "> " : "▸ ") + place, .failed) : place
  }

  private func circle(
    _ ids: [UInt64], _ known: [UInt64: TaskState], _ isMarked: Bool
  ) -> [String] {
    let count = Counted.grouped(UInt64(ids.count))
    if let only = known[ids[0]], ids.count == 1, only.awaiting == .lock {
      let head = "  task \(words.title(only.id)) wants a lock that its own thread holds already"
      return placed(head, only, isMarked)
    }
    var lines = [
      ids.count == 1
        ? "  task \(words.title(ids[0])) waits for itself, for good"
        : "  \(count) tasks wait for each other, for good:"
    ]
    for (index, id) in ids.prefix(Self.mostKnots * 2).enumerated() {
      guard let task = known[id] else { continue }
      let isMarked = isMarked && index == 0
      let head = "    task \(words.title(id)) \(words.phrase(words.named(task)))"
      let frame =
        index == 0
        ? TaskWaits.tellingFrame(
          words.named(task).own, among: own(ids.filter { $0 != id }, known),
          outside: own(TaskWaits.outside(ids, among: known.values), known)) : nil
      lines += placed(head, task, isMarked, frame)
    }
    return lines
  }

  private func own(_ ids: [UInt64], _ known: [UInt64: TaskState]) -> [[NamedFrame]] {
    ids.compactMap { known[$0] }.map { words.named($0).own }
  }

  private func blocked(
    _ ids: [UInt64], _ known: [UInt64: TaskState], _ isMarked: Bool
  ) -> [String] {
    guard let task = known[ids[0]] else { return [] }
    let ready = known.values.count { $0.phase == .enqueued }
    let others = ids.count - 1
    let subject =
      others == 0
      ? "task \(words.title(task.id)) blocks its thread"
      : "task \(words.title(task.id)) and \(Counted.text(UInt64(others), "other", "others")) "
        + "block their threads"
    var lines = placed("  \(subject)", task, isMarked)
    let wanting = known.values.filter { $0.awaiting == .lock && ids.contains($0.awaitedTask ?? 0) }
      .map(\.id).sorted()
    if let first = wanting.first {
      let more = wanting.count > 1 ? " and \(wanting.count - 1) more" : ""
      let verb = wanting.count > 1 ? "want" : "wants"
      lines.append("    task \(words.title(first))\(more) \(verb) a lock that it holds")
    }
    if ready > 0 {
      let tasks = Counted.text(UInt64(ready), "task is", "tasks are")
      lines.append("    meanwhile \(tasks) ready to run")
    }
    return lines
  }

  private func end(
    _ id: UInt64, _ waiting: [UInt64], _ known: [UInt64: TaskState], _ isMarked: Bool
  ) -> [String] {
    guard let task = known[id] else { return [] }
    let named = waiting.prefix(3).map { words.title($0) }.joined(separator: ", ")
    let more = waiting.count > 3 ? " and \(waiting.count - 3) more" : ""
    let verb = waiting.count == 1 ? "task \(named)\(more) waits" : "tasks \(named)\(more) wait"
    if isRestless(task) {
      if let cancelled = uncancelled(task, known, isMarked) { return cancelled }
      let made = words.symbols.named(task.made).filter { !$0.isMachinery && $0.line > 0 }
      let head = "  task \(words.title(id)), a child of a group, goes on and on, and was made"
      return placed(head, task, isMarked, made.mostOwn) + [
        "    \(verb) for it, directly or through others"
      ]
    }
    let head = "  task \(words.title(id)) \(words.phrase(words.named(task)))"
    return placed(head, task, isMarked) + ["    \(verb) for it, directly or through others"]
  }

  /// The lines for a child that goes on until it is cancelled, while its group waits for it: who waits is to
  /// cancel it. Nil if it is no such child.
  private func uncancelled(
    _ task: TaskState, _ known: [UInt64: TaskState], _ isMarked: Bool
  ) -> [String]? {
    var loops = LoopConditions()
    guard let parent = task.parent.flatMap({ known[$0] }), parent.awaiting == .group,
      let inner = words.named(task).own.mostOwn, loops.asksForCancellation(around: inner)
    else { return nil }
    let head = "  task \(words.title(parent.id)) waits for its group"
    return placed(head, parent, isMarked) + [
      "    task \(words.title(task.id)) in it goes on until it is cancelled, and nobody cancels it"
    ]
  }

  /// Whether a child of a group has waited for a moment only, as it must have done many times: it may never
  /// end, and so neither does its group.
  private func isRestless(_ task: TaskState) -> Bool {
    guard task.kind == .groupChild, !task.isCancelled, words.awaited(words.named(task)) == .sleep,
      let wait = task.since.flatMap(nanoseconds), let life = task.born.flatMap(nanoseconds)
    else { return false }
    return life / Self.restless > wait
  }

  /// A task that is so much older than its wait has waited many times.
  private static let restless: UInt64 = 20

  /// Returns a line and where the task is, which has a line of its own if both do not fit on one.
  private func placed(
    _ head: String, _ task: TaskState, _ isMarked: Bool, _ frame: NamedFrame? = nil
  ) -> [String] {
    let frame = frame ?? words.named(task).own.mostOwn
    let plain = at(frame, isMarked, style.unlimited)
    guard !style.fits([head + plain]), plain.hasPrefix(" ") else {
      return [head + at(frame, isMarked, style)]
    }
    return [head, "     " + at(frame, isMarked, style)]
  }

  /// ` at demo.swift:39, in waitForever()`, with a mark before the place if it is to be looked at.
  private func at(_ frame: NamedFrame?, _ isMarked: Bool, _ style: OutputStyle) -> String {
    guard let frame, let function = frame.function else { return "" }
    let name = style.escaped(function)
    guard let place = TaskWords.place(frame) else { return ", in \(name)" }
    return " at \(marked(place, isMarked)), in \(name)"
  }

  // MARK: - One task

  private func lines(_ node: TaskTree.Node, first: String, rest: String) -> [String] {
    let named = words.named(node.task)
    var lines = [first + heading(node, named)]
    let frames = showsAll ? named.frames : named.own
    let places = frames.map { TaskWords.place($0) ?? "" }
    let width = min(28, places.map(\.count).max() ?? 0)
    let bold = showsAll ? nil : frames.mostOwn
    for (index, frame) in frames.enumerated() {
      let place = places[index].padded(to: width)
      let function = style.escaped(frame.function ?? frame.text)
      // The innermost function of the program is where to look.
      let isBold = frame == bold
      let text = "\(place)  \(function)"
      lines.append(
        "\(rest)  "
          + (isBold
            ? style.paint(text, .bold) : frame.isMachinery ? style.paint(text, .dim) : text))
    }
    if frames.isEmpty, !named.frames.isEmpty {
      let reason = named.isNew ? "not begun" : "no code of the program's own on its stack"
      lines.append(rest + "  " + style.paint("(\(reason))", .dim))
    }
    if let origin = origin(node.task) {
      lines.append(rest + "  " + style.paint(origin, .dim))
    }
    return lines
  }

  private func heading(_ node: TaskTree.Node, _ named: TaskWords.Named) -> String {
    let task = node.task
    var title = "task \(task.id)"
    if let name = task.name {
      title += " \"\(style.escaped(name))\""
    } else if TaskWords.isMain(named) {
      title += " (main)"
    }
    var line = style.paint(title, .bold) + "  " + words.phrase(named)
    if let since = task.since.flatMap(age) { line += " for \(since)" }
    var details: [String] = []
    let kind = task.making(by: words.symbols.named(task.made))
    if kind != .task { details.append(kind.rawValue) }
    if let executor = task.executor, executor != Self.usualExecutor, task.phase != .ended {
      details.append("on \(style.escaped(executor))")
    }
    if task.priority != 21, task.priority != 0 { details.append(TaskWords.priority(task.priority)) }
    if let born = task.born.flatMap(age) { details.append("\(born) old") }
    if task.isCancelled { line += "  " + style.paint("cancelled", .interrupted) }
    if !node.alike.isEmpty {
      let count = Counted.text(UInt64(node.alike.count), "other", "others")
      line += style.paint("  and \(count) like it", .dim)
    }
    if !details.isEmpty { line += style.paint("  \(details.joined(separator: ", "))", .dim) }
    return line
  }

  /// The executor of most tasks: it is not mentioned.
  private static let usualExecutor = "global executor"

  /// `made by task 1 at demo.swift:81`.
  private func origin(_ task: TaskState) -> String? {
    let own = words.symbols.named(task.made).filter { !$0.isMachinery && $0.line > 0 }
    var place = own.mostOwn.flatMap { frame in
      TaskWords.place(frame).map { "\($0) in \(style.escaped(frame.function ?? ""))" }
    }
    // The program's code called a package that made the task.
    if let known = place, let inner = own.first, inner != own.mostOwn,
      let line = TaskWords.place(inner)
    {
      place = "\(known), through \(line)"
    }
    switch (task.maker, place) {
    case (nil, nil): return nil
    case (let maker?, nil): return "made by task \(words.title(maker))"
    case (nil, let place?): return "made at \(place)"
    case (let maker?, let place?): return "made by task \(words.title(maker)) at \(place)"
    }
  }

  private var bar: String { style.ascii ? "| " : "│ " }
  private var fork: String { style.ascii ? "|-" : "├ " }
  private var corner: String { style.ascii ? "`-" : "└ " }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

extension TaskText {
  /// Tells what tasks await, by the names of the functions that are suspended.
  public struct FrameWords {
    private let words: TaskWords

    /// Prepares to tell, with the names of code, which has been looked up.
    public init(_ symbols: Symbolizer) { words = TaskWords(symbols: symbols, names: [:]) }

    /// Returns what a task awaits; nil if that is unknown or nothing.
    public func awaited(by task: TaskState) -> TaskState.Awaiting? {
      words.awaited(words.named(task))
    }

    /// Returns how a task was made, as far as the names of the code that did tell.
    public func kind(of task: TaskState) -> TaskState.Kind {
      task.making(by: words.symbols.named(task.made))
    }

    /// Returns the place of the code that made a task: `shop.swift:39`; nil if it is unknown.
    public func maker(of task: TaskState) -> String? {
      words.symbols.named(task.made).filter { !$0.isMachinery && $0.line > 0 }.mostOwn
        .flatMap(TaskWords.place)
    }

    /// Returns whether a task is one of the runtime's helpers, without any code of the program's.
    public func isHelper(_ task: TaskState) -> Bool { words.named(task).isHelper }
  }
}
