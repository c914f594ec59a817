import CVarveSystem
import Testing
import VarveFormat
import VarveProbe

@Suite("Docs/Format.md")
struct FormatDocumentTests {
  private let document: FormatDocument

  init() throws { document = try FormatDocument() }

  /// The document's side of a table of fields must be the code's, offset by offset.
  private func expect(
    _ heading: String, _ fields: [String: LayoutField],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let offsets = try document.numbers(heading, "FIELD", "OFFSET")
    let sizes = try document.numbers(heading, "FIELD", "SIZE")
    #expect(offsets == fields.mapValues(\.offset), sourceLocation: sourceLocation)
    #expect(sizes == fields.mapValues(\.size), sourceLocation: sourceLocation)
  }

  @Test("F1: the document's fields of the header and of all blocks lie where the code's do")
  func headers() throws {
    typealias Header = TraceHeaderCodec.Layout
    try expect(
      "Trace header",
      [
        "magic": Header.magic, "major": Header.major, "minor": Header.minor,
        "headerBytes": Header.headerBytes, "idLow": Header.idLow, "idHigh": Header.idHigh,
        "clock": Header.clock, "pid": Header.pid, "ticksPerSecond": Header.ticksPerSecond,
        "anchorTicks": Header.anchorTicks, "anchorMonotonic": Header.anchorMonotonic,
        "started": Header.started,
      ])
    typealias Block = BlockHeader.Layout
    try expect(
      "Block header",
      [
        "magic": Block.magic, "kind": Block.kind, "codec": Block.codec,
        "headerBytes": Block.headerBytes, "rawBytes": Block.rawBytes,
        "storedBytes": Block.storedBytes, "payloadChecksum": Block.payloadChecksum,
      ])
    typealias Events = EventBlockHeader.Layout
    try expect(
      "Event block header",
      [
        "count": Events.count, "ring": Events.ring, "firstSequence": Events.firstSequence,
        "firstEvent": Events.firstEvent, "firstTick": Events.firstTick,
        "lastTick": Events.lastTick, "kinds": Events.kinds, "streamWords": Events.streamWords,
      ])
    typealias Index = IndexBlock.Layout
    try expect(
      "Index block header",
      ["previous": Index.previous, "first": Index.first, "count": Index.count])
    typealias End = Trailer.Layout
    try expect(
      "Trailer",
      [
        "lastIndex": End.lastIndex, "events": End.events, "ending": End.ending,
        "known": End.known, "signal": End.signal, "ring": End.ring,
        "programCounter": End.programCounter, "room": End.room,
      ])
  }

  @Test("F1: the document's fields of definitions, losses, anchors and records are the code's")
  func entries() throws {
    typealias Definition = DefinitionCodec.Layout
    try expect(
      "Definition",
      [
        "length": Definition.length, "checksum": Definition.checksum, "kind": Definition.kind,
        "flags": Definition.flags, "absorbs": Definition.absorbs, "id": Definition.id,
      ])
    try expect("Stream definition", ["streamBorn": Definition.streamBorn])
    try expect("Thread definition", ["threadSystemID": Definition.threadSystemID])
    try expect(
      "Module definition",
      [
        "moduleBias": Definition.moduleBias, "moduleStart": Definition.moduleStart,
        "moduleEnd": Definition.moduleEnd,
      ])
    try expect("Symbol definition", ["symbolAddress": Definition.symbolAddress])
    try expect("Process definition", ["processStarted": Definition.processStarted])
    typealias Loss = LossEntry.Layout
    try expect(
      "Loss entry",
      [
        "ring": Loss.ring, "reason": Loss.reason, "count": Loss.count, "firstTick": Loss.firstTick,
        "lastTick": Loss.lastTick,
      ])
    try expect(
      "Anchor entry",
      ["ticks": AnchorEntry.Layout.ticks, "monotonic": AnchorEntry.Layout.monotonic])
    func field<Value>(_ path: KeyPath<vv_record, Value>) throws -> LayoutField {
      LayoutField(
        try #require(MemoryLayout<vv_record>.offset(of: path)), MemoryLayout<Value>.size)
    }
    try expect(
      "Record in a ring",
      [
        "eights": field(\.eights), "kind": field(\.kind), "payload": field(\.payload),
        "far_causes": field(\.far_causes), "stream": field(\.stream), "ticks": field(\.ticks),
        "sequence": field(\.sequence), "back": field(\.back),
        "subscription": field(\.subscription),
      ])
  }

  @Test("F1: the document's numbers of kinds, codecs, forms and columns are the code's")
  func numbers() throws {
    typealias Kind = BlockKind
    #expect(
      try document.numbers("Block kinds") == [
        "header": Int(Kind.header), "events": Int(Kind.events),
        "definitions": Int(Kind.definitions), "losses": Int(Kind.losses),
        "anchors": Int(Kind.anchors), "index": Int(Kind.index), "trailer": Int(Kind.trailer),
      ])
    typealias Codec = BlockCodec
    #expect(
      try document.numbers("Codecs") == [
        "stored": Int(Codec.stored), "deflated": Int(Codec.deflated),
        "columns": Int(Codec.columns),
      ])
    #expect(
      try document.numbers("Plane forms") == [
        "constant": Int(PlaneForm.constant), "stored": Int(PlaneForm.stored),
        "deflated": Int(PlaneForm.deflated), "encoded": Int(PlaneForm.encoded),
      ])
    #expect(
      try document.numbers("Word forms") == [
        "plain": Int(WordForm.plain), "difference": Int(WordForm.difference),
      ])
    typealias Clock = TraceHeaderCodec.Clock
    #expect(
      try document.numbers("Clocks") == [
        "monotonic": Int(Clock.monotonic), "byHand": Int(Clock.byHand),
        "counter": Int(Clock.counter),
      ])
    typealias Ending = Trailer.Ending
    #expect(
      try document.numbers("Endings") == [
        "clean": Int(Ending.clean), "crashed": Int(Ending.crashed), "killed": Int(Ending.killed),
      ])
    typealias Definition = DefinitionCodec.Kind
    #expect(
      try document.numbers("Definition kinds") == [
        "stream": Int(Definition.stream), "scheduler": Int(Definition.scheduler),
        "thread": Int(Definition.thread), "stack": Int(Definition.stack),
        "module": Int(Definition.module), "symbol": Int(Definition.symbol),
        "taskTemplate": Int(Definition.taskTemplate), "process": Int(Definition.process),
      ])
  }

  @Test("F1: the document's columns are the code's")
  func columns() throws {
    typealias This = Column
    let columns: [String: UInt8] = [
      "ticks": This.ticks, "shapeStreams": This.shapeStreams, "shapeKinds": This.shapeKinds,
      "shapePayloads": This.shapePayloads, "shapeFarCauses": This.shapeFarCauses,
      "shapeSubscriptions": This.shapeSubscriptions, "shapeBacks": This.shapeBacks,
      "shapeWordForms": This.shapeWordForms, "shapeWords": This.shapeWords,
      "shapes": This.shapes, "subscriptions": This.subscriptions, "backs": This.backs,
      "words": This.words, "texts": This.texts, "cuts": This.cuts,
      "textLengths": This.textLengths, "textPrefixes": This.textPrefixes, "heap": This.heap,
      "farCauses": This.farCauses,
    ]
    #expect(try document.numbers("Columns") == columns.mapValues(Int.init))
    #expect(Set(columns.values) == Set(1..<Column.end))
  }

  @Test("F1: the document's kinds of records, payloads and reasons are the probe's")
  func vocabulary() throws {
    func numbers<Kind: CaseIterable & RawRepresentable<UInt8>>(_ kinds: Kind.Type) -> [String: Int]
    {
      Dictionary(uniqueKeysWithValues: kinds.allCases.map { ("\($0)", Int($0.rawValue)) })
    }
    #expect(try document.numbers("Record kinds") == numbers(RecordKind.self))
    #expect(try document.numbers("Payload kinds") == numbers(PayloadKind.self))
    #expect(try document.numbers("End reasons") == numbers(EndReason.self))
    #expect(try document.numbers("Loss reasons") == numbers(TraceLoss.Reason.self))
    #expect(try document.numbers("Absorption reasons") == numbers(AbsorptionReason.self))
    #expect(try document.numbers("Wait reasons") == numbers(WaitReason.self))
    #expect(try document.numbers("Awaited things") == numbers(TaskAwait.self))
    #expect(try document.numbers("Task makings") == numbers(TaskMaking.self))
    for (name, layout) in try document.table("Payload kinds", "NAME", "LAYOUT") {
      let kind = try #require(PayloadKind.allCases.first { "\($0)" == name })
      let expected =
        switch PayloadLayout(kind.rawValue) {
        case .none: "nothing"
        case .word: "word"
        case .text: "text"
        }
      #expect(layout == expected, "\(name)")
    }
  }

  @Test("F1, T11: the document's bits of what kind a stream is are the probe's")
  func traits() throws {
    let traits: [String: StreamTraits] = [
      "hot": .hot, "joins": .joins, "needsAllInputs": .needsAllInputs,
      "makesStreams": .makesStreams, "runsSideBySide": .runsSideBySide, "replaces": .replaces,
      "hops": .hops, "startsElsewhere": .startsElsewhere, "holds": .holds, "replays": .replays,
      "endsEarly": .endsEarly, "swallows": .swallows, "handlesFailure": .handlesFailure,
      "restarts": .restarts, "standsIn": .standsIn, "renames": .renames,
      "hasEffects": .hasEffects, "gathers": .gathers, "validates": .validates,
      "samples": .samples, "throwsFailure": .throwsFailure,
    ]
    #expect(
      try document.numbers("Stream traits", "NAME", "BIT")
        == traits.mapValues { $0.rawValue.trailingZeroBitCount })
  }

  @Test("F1: the document's version is what is written")
  func version() throws {
    let last = try #require(document.tables["Versions"]?.last?["VERSION"])
    #expect(last == TraceVersion.current.description)
  }

  @Test("F1: the document's limits are the code's")
  func limits() throws {
    #expect(
      try document.numbers("Limits", "NAME", "VALUE") == [
        "headerBytes": TraceLimits.headerBytes, "blockHeaderBytes": TraceLimits.blockHeaderBytes,
        "payloadBytes": TraceLimits.payloadBytes, "eventsInBlock": TraceLimits.eventsInBlock,
        "unpackingRatio": TraceLimits.unpackingRatio,
      ])
  }
}
