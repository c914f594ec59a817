public import VarveProbe

/// An entity that records refer to by number.
public enum TraceDefinition: Sendable, Hashable {
  case stream(StreamDefinition)
  case scheduler(SchedulerDefinition)
  case thread(ThreadDefinition)
  case stack(StackDefinition)
  case module(ModuleDefinition)
  case symbol(SymbolDefinition)
  case taskTemplate(TaskTemplateDefinition)
  case process(ProcessDefinition)
}

/// One of the processes whose recordings were merged into a trace.
public struct ProcessDefinition: Sendable, Hashable {
  /// The number of the recording, which precedes the names of its events.
  public var recording: UInt32
  /// The process, without its arguments.
  public var process: ProcessDescription

  /// Creates a definition.
  public init(recording: UInt32, process: ProcessDescription) {
    self.recording = recording
    self.process = process
  }
}

/// The definitions in a trace. Of several definitions of one entity, the last applies.
public struct TraceDefinitions: Sendable {
  /// Streams, by stream ID.
  public var streams: [UInt32: StreamDefinition] = [:]
  /// Schedulers, by scheduler ID.
  public var schedulers: [UInt32: SchedulerDefinition] = [:]
  /// Threads, by ring ID.
  public var threads: [UInt32: ThreadDefinition] = [:]
  /// Stacks, by stack ID.
  public var stacks: [UInt32: StackDefinition] = [:]
  /// Modules, by module ID.
  public var modules: [UInt32: ModuleDefinition] = [:]
  /// Symbols, by the address looked up (`StackFrame.lookup`), as far as the trace contains names.
  public var symbols: [UInt64: SymbolDefinition] = [:]
  /// What tasks of one place have in common, by template ID.
  public var taskTemplates: [UInt32: TaskTemplateDefinition] = [:]
  /// The processes of a merged trace, by the numbers of their recordings; empty in one that a version
  /// before 1.7 has merged.
  public var processes: [UInt32: ProcessDefinition] = [:]

  /// Creates an empty collection of definitions.
  public init() {}

  /// Adds a definition, replacing an older one of the same entity.
  public mutating func insert(_ definition: TraceDefinition) {
    switch definition {
    case .stream(let stream): streams[stream.id] = stream
    case .scheduler(let scheduler): schedulers[scheduler.id] = scheduler
    case .thread(let thread): threads[thread.ring] = thread
    case .stack(let stack): stacks[stack.id] = stack
    case .module(let module): modules[module.id] = module
    case .symbol(let symbol): symbols[symbol.address] = symbol
    case .taskTemplate(let template): taskTemplates[template.id] = template
    case .process(let process): processes[process.recording] = process
    }
  }
}

extension TraceDefinitions {
  /// Returns the module whose code contains an address. Of several that were loaded there one after
  /// the other, returns the last.
  public func module(at address: UInt64) -> ModuleDefinition? {
    modules.values.filter { $0.addresses.contains(address) }.max { $0.id < $1.id }
  }
}
