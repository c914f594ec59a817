import Testing
import VarveFormat
import VarveProbe

@Suite("Definitions")
struct DefinitionTests {
  static let stream = StreamDefinition(
    id: 12, name: "login.user", derivation: "pipe@Login.swift:3.map(_:)", operation: "map(_:)",
    parents: [3, 4_000_000_000], place: Place(file: "App/Login.swift", line: 70_000),
    valueType: "Optional<String>", born: 0x1234_5678_9abc_def0, absorbs: .superseded)

  static let all: [TraceDefinition] = [
    .stream(stream),
    .stream(
      StreamDefinition(
        id: 1, name: "pipe@A.swift:1", derivation: "pipe@A.swift:1", operation: "pipe", parents: [],
        place: nil, valueType: "Int", born: 0)),
    .scheduler(SchedulerDefinition(id: 9, name: "QueueScheduler(search)")),
    .thread(ThreadDefinition(ring: 5, systemID: 1 << 40, name: "")),
    .thread(ThreadDefinition(ring: 6, systemID: 7, name: "com.example.worker ✓")),
  ]

  /// What kind of stream it is, which came with format 1.1: all of it, nothing, and with what else
  /// may follow a stream.
  static let kinds: [TraceDefinition] = [[.hot, .hasEffects], [], StreamTraits(rawValue: .max)].map
  {
    var stream = stream
    stream.traits = $0
    stream.stack = 9
    return .stream(stream)
  }

  /// What the first library did not write.
  static let stacks: [TraceDefinition] = [
    .stream(
      StreamDefinition(
        id: 13, name: "pipe@A.swift:1.map(_:)", derivation: "pipe@A.swift:1.map(_:)",
        operation: "map(_:)", parents: [1], place: nil, valueType: "Int", born: 5, stack: 70_000)),
    .stack(
      StackDefinition(
        id: 70_000,
        frames: [
          StackFrame(address: 0x5555_5555_1234),
          StackFrame(address: 0x7fff_ffff_ffff, isResumption: true),
        ])),
    .stack(StackDefinition(id: 1, frames: [])),
    .module(
      ModuleDefinition(
        id: 1, path: "/usr/bin/shop", buildID: Array(0..<20), bias: 0x5555_5555_0000,
        addresses: 0x5555_5555_1000..<0x5555_5556_0000)),
    .module(ModuleDefinition(id: 2, path: "", buildID: [], bias: 0, addresses: 0..<0)),
    .symbol(
      SymbolDefinition(
        address: 0x5555_5555_1233,
        functions: [
          FunctionPlace(function: "closure #1 in run()", file: "/src/shop/Run.swift", line: 12),
          FunctionPlace(function: "run()"),
        ])),
    .symbol(SymbolDefinition(address: .max, functions: [])),
  ]

  private func log(_ definitions: [TraceDefinition]) -> [UInt8] {
    var bytes: [UInt8] = []
    for definition in definitions { DefinitionCodec.append(definition, to: &bytes) }
    return bytes
  }

  private func read(_ bytes: [UInt8]) -> ([TraceDefinition], DefinitionLog.Extent) {
    var definitions: [TraceDefinition] = []
    let extent = bytes.withUnsafeBytes { DefinitionLog.read($0) { definitions.append($0) } }
    return (definitions, extent)
  }

  @Test("every kind of definition comes back from a log as it was")
  func roundTrip() {
    let all = Self.all + Self.stacks + Self.kinds
    let bytes = log(all)
    let (definitions, extent) = read(bytes + [UInt8](repeating: 0, count: 100))
    #expect(definitions == all)
    #expect(extent.bytes == bytes.count)
    #expect(extent.definitions == all.count)
    #expect(!extent.isCut)
  }

  @Test("a definition is a multiple of eight bytes and never above the limit")
  func sizes() {
    let long = String(repeating: "ä", count: 300_000)
    let bytes = log([
      .stream(
        StreamDefinition(
          id: 1, name: long, derivation: "d" + long, operation: long,
          parents: Array(1...100_000), place: Place(file: long, line: 1), valueType: long, born: 1))
    ])
    #expect(bytes.count.isMultiple(of: 8))
    #expect(bytes.count <= DefinitionCodec.largest)
    guard case .stream(let stream)? = read(bytes).0.first else {
      Issue.record("the long definition was not read")
      return
    }
    #expect(long.hasPrefix(stream.name))
    #expect(stream.name.utf8.count > 8_000)
  }

  @Test("a symbol and a stack are never above the limit, whatever they are told")
  func sizesOfStacks() throws {
    let long = String(repeating: "ä", count: 100_000)
    let place = FunctionPlace(function: long, file: long, line: .max)
    let bytes = log([
      .symbol(SymbolDefinition(address: 1, functions: Array(repeating: place, count: 100))),
      .stack(
        StackDefinition(
          id: 1, frames: Array(repeating: StackFrame(address: 1), count: 100_000))),
      .module(
        ModuleDefinition(
          id: 1, path: long, buildID: Array(repeating: 7, count: 1_000), bias: 1,
          addresses: 1..<2)),
    ])
    let (definitions, extent) = read(bytes)
    #expect(definitions.count == 3)
    #expect(extent.damaged == 0)
    guard case .symbol(let symbol)? = definitions.first else {
      Issue.record("the symbol was not read")
      return
    }
    #expect(symbol.functions.count == 64)
    #expect(symbol.functions.allSatisfy { long.hasPrefix($0.function) && $0.line == .max })
  }

  @Test("a kind of definition that is not known is passed over")
  func unknownKind() {
    var unknown: [UInt8] = [99, 1, 2, 3] + little(UInt32(77)) + little(UInt64(5))
    unknown = little(UInt32(unknown.count + 8)) + little(crc(unknown)) + unknown
    let (definitions, extent) = read(log([Self.all[0]]) + unknown + log([Self.all[2]]))
    #expect(definitions == [Self.all[0], Self.all[2]])
    #expect(extent.unknown == 1)
    #expect(extent.damaged == 0)
  }

  @Test("a flipped bit costs one definition at most, unless it is in a length")
  func flips() {
    let all = Self.all + Self.stacks + Self.kinds
    let bytes = log(all)
    for index in bytes.indices {
      for bit in 0..<8 {
        var flipped = bytes
        flipped[index] ^= 1 << UInt8(bit)
        let (definitions, extent) = read(flipped)
        #expect(definitions.count < all.count)
        #expect(definitions.allSatisfy { all.contains($0) })
        #expect(extent.damaged + extent.definitions >= 1 || extent.isCut || index < 4)
      }
    }
  }

  @Test("a log that ends inside a definition gives the whole ones before it")
  func cuts() {
    let all = Self.all + Self.stacks + Self.kinds
    let bytes = log(all)
    for length in 0...bytes.count {
      let (definitions, extent) = read(Array(bytes[..<length]))
      #expect(definitions == Array(all[..<definitions.count]))
      #expect(extent.bytes <= length)
      #expect(extent.isCut == (extent.bytes < length))
    }
  }

  @Test("of several definitions of one thing the file's last one counts")
  func lastOneWins() throws {
    let folder = try TraceFolder()
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    var renamed = Self.stream
    renamed.name = "login.account"
    try writer.append(definitions: Self.all)
    try writer.append(definitions: [.stream(renamed)])
    try writer.finish(ending: .clean)
    let definitions = try TraceReader(path: folder.path()).definitions
    #expect(definitions.streams[12] == renamed)
    #expect(definitions.streams.count == 2)
    #expect(definitions.schedulers[9]?.name == "QueueScheduler(search)")
    #expect(definitions.threads[6]?.name == "com.example.worker ✓")
  }

  @Test("definitions that shrink very much are still read, and so are very many")
  func regularDefinitions() throws {
    let folder = try TraceFolder()
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    let name = String(repeating: "a", count: 8_000)
    try writer.append(
      definitions: (1...200).map { .scheduler(SchedulerDefinition(id: $0, name: name)) })
    try writer.append(
      definitions: (1...20_000).map {
        .thread(ThreadDefinition(ring: $0, systemID: UInt64($0), name: "worker"))
      })
    let reader = try TraceReader(path: folder.path())
    #expect(reader.damage == [])
    #expect(reader.definitions.schedulers.count == 200)
    #expect(reader.definitions.schedulers[150]?.name == name)
    #expect(reader.definitions.threads.count == 20_000)
  }
}
