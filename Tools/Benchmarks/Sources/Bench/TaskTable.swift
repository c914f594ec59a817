import Measurement
import RecorderWorkloads

/// What it costs a program that its tasks are recorded: TaskBench, as it is and under `varve run`, in
/// turns on one processor.
enum TaskTable {
  private static let titles: KeyValuePairs<String, String> = [
    "create": "create a task and await its value", "let": "async let", "child": "child of a group",
    "yield": "yield", "resume": "resume a suspended continuation",
    "roundtrip": "two suspensions and resumptions", "early": "resume before the await",
    "actor": "call an actor that does not suspend", "rejected": "a call about something else",
  ]

  static func run(_ options: Options, into report: inout Report) throws {
    guard options.names("tasks") else { return }
    let place = try TaskPlace(command: options.command ?? CommandTable.built())
    defer { place.remove() }
    let clock = RecorderWorkload.clock()
    Table.heading(
      "tasks, CPU ns (the clock: \(Table.number(clock)))",
      ["bare", "+ no stacks", "+ stacks", "records", "clock reads", "less clocks"]
        + (options.countsInstructions ? ["instructions"] : []))
    for (operation, title) in titles {
      let cost = try measure(operation, place, options)
      report.tasks[operation] = cost
      let cells = [
        cost.bareNs, cost.moreNs, cost.moreWithStacksNs, cost.records, cost.clockReads,
        cost.moreWithStacksNs - cost.clockReads * clock,
      ]
      Table.row(title, (cells + [cost.instructions].compactMap { $0 }).map { Table.number($0) })
    }
  }

  private static func measure(
    _ operation: String, _ place: TaskPlace, _ options: Options
  ) throws -> Report.TaskCost {
    var (bare, more, stacks): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<max(options.rounds, 7) {
      let base = try place.time(operation, recording: nil)
      bare.append(base)
      more.append(try place.time(operation, recording: "stacks=no") - base)
      stacks.append(try place.time(operation, recording: "stacks=yes") - base)
    }
    // The call about something else writes nothing, and is made a hundred times for one.
    let written = try operation == "rejected" ? (0, 0) : place.records(operation)
    let instructions = options.countsInstructions ? try place.instructions(operation) : nil
    return Report.TaskCost(
      bareNs: bare.median, moreNs: more.median, moreWithStacksNs: stacks.median,
      records: written.0, clockReads: written.1, instructions: instructions)
  }
}
