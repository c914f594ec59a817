import Testing
import VarveFormat
import VarveProbe

/// Of two processes whose stacks, modules, addresses and hops bear the same numbers, each keeps its
/// own in the merged trace.
@Suite("Merging stacks, modules and symbols")
struct MergedStackTests {
  private let folder: TraceFolder

  init() throws { folder = try TraceFolder() }

  private static let code: UInt64 = 0x5555_0000_1000
  private static let struck = code + 0x123

  private func definitions(_ name: String) -> [TraceDefinition] {
    [
      .module(
        ModuleDefinition(
          id: 1, path: "/usr/bin/\(name)", buildID: Array(name.utf8), bias: 0x5555_0000_0000,
          addresses: Self.code..<Self.code + 0x1000)),
      .stack(
        StackDefinition(
          id: 5,
          frames: [
            StackFrame(address: Self.code + 0x10),
            StackFrame(address: Self.code + 0x20, isResumption: true),
          ])),
      .stack(
        StackDefinition(
          id: 6, frames: [StackFrame(address: Self.code + 0x30)])),
      .stack(
        StackDefinition(
          id: StackDefinition.struckID,
          frames: [StackFrame(address: Self.struck, isResumption: true)])),
      .symbol(
        SymbolDefinition(
          address: Self.code + 0xf,
          functions: [
            FunctionPlace(function: "\(name).observe()", file: "/src/\(name).swift", line: 3)
          ])),
      .stream(
        StreamDefinition(
          id: 3, name: "\(name).numbers", derivation: "pipe", operation: "pipe", parents: [],
          place: nil, valueType: "Int", born: 1, stack: 6)),
      .thread(ThreadDefinition(ring: 1, systemID: 7, name: name)),
    ]
  }

  /// A trace of a process in which hop 8 scheduled hop 9.
  private func trace(_ name: String, pid: UInt32, ending: TraceEnding) throws -> TraceReader {
    let process = ProcessDescription(
      program: "/usr/bin/\(name)", arguments: [name], pid: pid, host: "host", started: 1)
    let header = TraceHeader(
      id: .random(), process: process, clock: .monotonic,
      anchor: ClockAnchor(ticks: 100, monotonic: 100))
    let path = folder.path(name + ".varve")
    let writer = try TraceWriter(creating: path, header: header)
    try writer.append(definitions: definitions(name))
    var records = RecordBytes()
    records.add(
      .subscribed, stream: 3, ticks: 100, subscription: 4,
      payload: .word(.stream, SubscriptionPayload(stream: 3, stack: 5).word))
    records.add(
      .hopScheduled, stream: 0, ticks: 110, subscription: 9,
      payload: .word(.cause, HopPayload(stack: 6, parent: 8).word))
    records.add(
      .hopScheduled, stream: 0, ticks: 120, subscription: 10,
      payload: .word(.cause, HopPayload(stack: 0, parent: 0).word))
    try writer.append(records)
    try writer.finish(ending: ending)
    return try TraceReader(path: path)
  }

  private func merged(_ readers: [TraceReader]) throws -> TraceReader {
    let path = folder.path("both.varve")
    try TraceMerge.write(readers, to: path)
    let both = try TraceReader(path: path)
    #expect(try both.verify() == [])
    return both
  }

  private static let crash = TraceEnding.crashed(signal: 11, ring: 1, programCounter: struck)

  /// The two traces, of which the second one crashed, as one.
  private func both() throws -> TraceReader {
    try merged([
      trace("shop", pid: 1, ending: .clean), trace("till", pid: 2, ending: Self.crash),
    ])
  }

  /// The program whose code the stack's first frame is.
  private func program(_ stack: UInt32, in reader: TraceReader) throws -> String? {
    let frames = try #require(reader.definitions.stacks[stack]).frames
    let modules = frames.map { reader.definitions.module(at: $0.lookup)?.path }
    #expect(Set(modules).count == 1)
    return modules[0]
  }

  @Test("B1: what records and streams name as their stack is that stack, in its own program")
  func stacks() throws {
    let both = try both()
    for columns in both.readableBlocks() {
      let own = columns.ring == 1 ? "/usr/bin/shop" : "/usr/bin/till"
      let edge = SubscriptionPayload(word: columns.words[0])
      #expect(edge.stream == columns.streams[0])
      #expect(try program(edge.stack, in: both) == own)
      let frames = try #require(both.definitions.stacks[edge.stack]).frames
      #expect(frames.map { $0.address & 0xffff } == [0x1010, 0x1020])
      #expect(frames.map(\.isResumption) == [false, true])
      let hop = HopPayload(word: columns.words[1])
      #expect(try program(hop.stack, in: both) == own)
      #expect(try #require(both.definitions.stacks[hop.stack]).frames.count == 1)
      // The hop's parent and the hop itself are told apart in the same way.
      #expect(hop.parent + 1 == columns.subscriptions[1])
      #expect(columns.words[2] == 0)
      let stream = try #require(both.definitions.streams[columns.streams[0]])
      #expect(stream.stack == hop.stack)
    }
    #expect(both.readableBlocks().map(\.ring) == [1, 2])
    #expect(Set(both.readableBlocks().map { $0.subscriptions[1] }).count == 2)
  }

  @Test("B1: modules and symbols of two programs at one address are told apart")
  func symbols() throws {
    let both = try both()
    let modules = both.definitions.modules.values
    #expect(modules.count == 2 && Set(modules.map(\.id)).count == 2)
    for module in modules {
      let name = String(decoding: module.buildID, as: UTF8.self)
      #expect(module.path == "/usr/bin/\(name)")
      #expect(module.addresses.count == 0x1000)
      // What is looked up in the file is the same in both.
      #expect(module.addresses.lowerBound &- module.bias == 0x1000)
      let symbol = try #require(both.definitions.symbols[module.addresses.lowerBound + 0xf])
      #expect(symbol.functions.map(\.function) == ["\(name).observe()"])
      #expect(symbol.functions.map(\.file) == ["/src/\(name).swift"])
    }
    #expect(both.definitions.symbols.count == 2)
  }

  @Test("B6: the merged trace has crashed as one of them has: its thread, its place, its stack")
  func crashed() throws {
    let both = try both()
    guard case .crashed(11, let ring?, let counter?) = both.ending else {
      Issue.record("ended \(both.ending)")
      return
    }
    #expect(both.definitions.threads[ring]?.name.hasPrefix("till[2]") == true)
    #expect(both.definitions.module(at: counter)?.path == "/usr/bin/till")
    let struck = try #require(both.definitions.stacks[StackDefinition.struckID])
    #expect(struck.frames.map(\.lookup) == [counter])
  }

  @Test("B6: where none crashed, no stack is one that a signal struck")
  func sound() throws {
    let both = try merged([
      trace("shop", pid: 1, ending: .clean), trace("till", pid: 2, ending: .killed),
    ])
    #expect(both.ending == .killed)
    #expect(both.definitions.stacks[StackDefinition.struckID] == nil)
  }
}
