public import VarveProbe

/// Something that records refer to by number.
public enum TraceDefinition: Sendable, Hashable {
  case stream(StreamDefinition)
  case scheduler(SchedulerDefinition)
  case thread(ThreadDefinition)
  case stack(StackDefinition)
  case module(ModuleDefinition)
  case symbol(SymbolDefinition)
}

/// All that a trace defines. Of several definitions of one thing the last counts.
public struct TraceDefinitions: Sendable {
  /// By stream id.
  public var streams: [UInt32: StreamDefinition] = [:]
  /// By scheduler id.
  public var schedulers: [UInt32: SchedulerDefinition] = [:]
  /// By ring id.
  public var threads: [UInt32: ThreadDefinition] = [:]
  /// By stack id.
  public var stacks: [UInt32: StackDefinition] = [:]
  /// By module id.
  public var modules: [UInt32: ModuleDefinition] = [:]
  /// By the address that was looked up (`StackFrame.lookup`), as far as names are in the trace.
  public var symbols: [UInt64: SymbolDefinition] = [:]

  /// No definitions.
  public init() {}

  /// Adds a definition, or puts it in the place of an older one.
  public mutating func insert(_ definition: TraceDefinition) {
    switch definition {
    case .stream(let stream): streams[stream.id] = stream
    case .scheduler(let scheduler): schedulers[scheduler.id] = scheduler
    case .thread(let thread): threads[thread.ring] = thread
    case .stack(let stack): stacks[stack.id] = stack
    case .module(let module): modules[module.id] = module
    case .symbol(let symbol): symbols[symbol.address] = symbol
    }
  }
}

extension TraceDefinitions {
  /// The module whose code an address is. Of several that lay there one after the other, the one
  /// that was loaded last.
  public func module(at address: UInt64) -> ModuleDefinition? {
    modules.values.filter { $0.addresses.contains(address) }.max { $0.id < $1.id }
  }
}
