public import VarveFormat
internal import VarveProbe

/// The tasks that are alive in a program's memory, of which nothing was recorded.
public struct TaskSnapshot: Sendable {
  /// The tasks, by number.
  public private(set) var tasks: [TaskState]
  /// The executable and its libraries, for a `Symbolizer`.
  public let definitions: TraceDefinitions
  /// Sentences about what the snapshot lacks.
  public let warnings: [String]

  /// Reads the tasks in a core file.
  ///
  /// - Parameters:
  ///   - core: The path of the core file.
  ///   - program: The executable, if it is not where it was.
  /// - Throws: A `TraceFileError` if the file is not a core file, or has no tasks that can be read.
  public init(core: String, program: String? = nil) throws(TraceFileError) {
    try self.init(try CoreFile(path: core, program: program), named: core)
  }

  /// Reads the tasks of a living process, which is neither stopped nor changed. Tasks that change
  /// meanwhile may be missing.
  ///
  /// - Parameters:
  ///   - pid: The process.
  ///   - program: The executable, if it is not where it was.
  /// - Throws: A `TraceFileError` if the process may not be read, or has no tasks that can be read.
  public init(pid: Int32, program: String? = nil) throws(TraceFileError) {
    try self.init(try ProcessMemory(pid: pid, program: program), named: "process \(pid)")
  }

  /// Returns the snapshot with those of its tasks that satisfy `isIncluded`.
  public func filtered(_ isIncluded: (TaskState) -> Bool) -> TaskSnapshot {
    var snapshot = self
    snapshot.tasks = tasks.filter(isIncluded)
    return snapshot
  }

  /// How far behind the beginning of a task the context of its first function may begin.
  private static let mostHeader: UInt64 = 512

  /// Whether a module is the runtime of tasks.
  static func isRuntime(_ module: ModuleDefinition) -> Bool {
    module.path.contains("libswift_Concurrency")
  }

  /// Whether a file is a core file.
  public static func isCore(_ path: String) -> Bool {
    ELFFile(path: path)?.type == ELFFile.core
  }

  private init(_ memory: any TaskMemory, named name: String) throws(TraceFileError) {
    let metadata = try Self.metadata(in: memory, named: name)
    let (found, isCut) = TaskSearch(memory, metadata: metadata).tasks()
    let code = ModuleMap(memory.modules)
    // A task is followed in memory by the context of its first function.
    let running = found.filter { $0.state.phase == .running }
      .map { $0.address..<$0.address &+ Self.mostHeader }.sorted { $0.lowerBound < $1.lowerBound }
    let stacks = memory.threads.map { registers in
      ThreadStack(registers, memory, code) { context in
        let after = running.partitionPoint { $0.lowerBound > context }
        return after > 0 && running[after - 1].contains(context)
      }
    }
    let byAddress = Dictionary(found.map { ($0.address, $0.state.id) }) { first, _ in first }
    tasks = found.map { task in
      var state = task.state
      state.parent = task.parent.flatMap { byAddress[$0] }
      if state.phase == .running,
        let stack = stacks.first(where: {
          $0.outermostContext.map { task.address..<task.address &+ Self.mostHeader ~= $0 } ?? false
        })
      {
        state.frames = stack.frames
        state.thread = stack.registers.thread
        state.isBlocked = stack.isBlocked
      }
      if state.awaiting == .task { state.awaitedTask = task.awaited.flatMap { byAddress[$0] } }
      return state
    }
    var definitions = TraceDefinitions()
    for module in memory.modules { definitions.modules[module.id] = module }
    self.definitions = definitions
    warnings = isCut ? ["only \(TaskSearch.mostTasks) tasks are shown: there are more"] : []
  }

  /// Finds the metadata of tasks, with which each task begins, in a program whose layout of tasks is
  /// known.
  private static func metadata(
    in memory: any TaskMemory, named name: String
  ) throws(TraceFileError) -> UInt64 {
    let wanted: Set = [
      TaskLayout.metadataSymbol, TaskLayout.versionSymbol, TaskLayout.sizeSymbol,
    ]
    // The runtime is a library, or part of an executable that was linked with it.
    let order =
      memory.modules.filter(Self.isRuntime)
      + memory.modules.filter { !Self.isRuntime($0) }.prefix(1)
    for module in order {
      guard let found = ELFFile(path: module.path)?.addresses(of: wanted),
        let symbol = found[TaskLayout.metadataSymbol]
      else { continue }
      func value<Number: FixedWidthInteger & BitwiseCopyable>(_ name: String) -> Number? {
        found[name].flatMap { memory.number(at: $0 &+ module.bias) }
      }
      let version: UInt32? = value(TaskLayout.versionSymbol)
      let size: UInt32? = value(TaskLayout.sizeSymbol)
      guard version == TaskLayout.version, size.map(UInt64.init) == TaskLayout.size else {
        throw TraceFileError(
          .newerVersion,
          "\(name) has another layout of tasks than the one that is known (version \(version.map { "\($0)" } ?? "none") with \(size.map { "\($0)" } ?? "no") bytes instead of 1 with 208): it is of another version of Swift"
        )
      }
      guard let metadata = memory.pointer(at: symbol &+ module.bias) else { continue }
      return metadata
    }
    throw TraceFileError(
      .unreadable,
      order.isEmpty
        ? "none of the files of \(name) is here: name its executable with --program"
        : "\(name) has no runtime for tasks: is it a Swift program, with its libraries here, and not stripped if they are part of it?"
    )
  }
}
