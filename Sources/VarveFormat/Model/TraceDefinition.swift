public import VarveProbe

/// Something that records refer to by number.
public enum TraceDefinition: Sendable, Hashable {
  case stream(StreamDefinition)
  case scheduler(SchedulerDefinition)
  case thread(ThreadDefinition)
}

/// All that a trace defines. Of several definitions of one thing the last counts.
public struct TraceDefinitions: Sendable {
  /// By stream id.
  public var streams: [UInt32: StreamDefinition] = [:]
  /// By scheduler id.
  public var schedulers: [UInt32: SchedulerDefinition] = [:]
  /// By ring id.
  public var threads: [UInt32: ThreadDefinition] = [:]

  /// No definitions.
  public init() {}

  /// Adds a definition, or puts it in the place of an older one.
  public mutating func insert(_ definition: TraceDefinition) {
    switch definition {
    case .stream(let stream): streams[stream.id] = stream
    case .scheduler(let scheduler): schedulers[scheduler.id] = scheduler
    case .thread(let thread): threads[thread.ring] = thread
    }
  }
}
