import Testing
import VarveFormat
import VarvePlatform

@testable import VarveRecorder

/// Options as the environment gives them.
@Suite struct OptionsTests {
  @Test func `every option can be said`() throws {
    let text =
      "policy=block,ring=4M,streams=named,values=types,absorption=yes,stacks=no,senders=no,"
      + "reads=no,crashes=no"
    let options = try Recorder.Options(text: text)
    var expected = Recorder.Options()
    expected.policy = .block
    expected.ringCapacity = 4 << 20
    expected.streams = .named
    expected.values = .typesOnly
    expected.recordsAbsorption = true
    expected.handlesCrashes = false
    #expect(options == expected)
  }

  @Test func `what is kept and in how many files can be said`() throws {
    var options = try Recorder.Options(text: "keep=64M,first=2M,snapshot=USR2,snapshot=failed:a*")
    #expect(options.policy == .keepLast(.bytes(64 << 20).keepingFirst(2 << 20)))
    #expect(options.snapshots == [.signal(SIGUSR2), .failure(of: "a*")])
    options = try Recorder.Options(text: "first=1K,keep=90s")
    #expect(options.policy == .keepLast(.time(.seconds(90)).keepingFirst(1024)))
    options = try Recorder.Options(text: "rotate=10m,rotate=1G,files=3")
    #expect(options.rotation == Recorder.Rotation(bytes: 1 << 30, age: .seconds(600), files: 3))
  }

  @Test("T7: the preset for production leaves out arguments and host unless asked for them")
  func privately() throws {
    let options = Recorder.Options.production
    #expect(!options.recordsArguments && !options.recordsHost)
    #expect(Recorder.Options().recordsArguments && Recorder.Options().recordsHost)
    func read(_ text: String) throws -> [Bool] {
      let options = try Recorder.Options(text: text)
      return [options.recordsArguments, options.recordsHost]
    }
    #expect(try read("preset=production") == [false, false])
    #expect(try read("preset=production,arguments") == [true, false])
    #expect(try read("host=yes,preset=production") == [false, true])
    #expect(try read("arguments=no,host=no") == [false, false])
    #expect(try read("values=types") == [true, true])
  }

  @Test("T2: nothing said means what a diagnosis needs; a program's own recording has less")
  func defaults() throws {
    var expected = Recorder.Options()
    #expect(try Recorder.Options(text: "preset=light") == expected)
    expected.recordsAbsorption = true
    expected.recordsStacks = true
    expected.recordsSenders = true
    expected.recordsReads = true
    #expect(try Recorder.Options(text: "") == expected)
    #expect(try Recorder.Options(text: "preset=debugging") == expected)
    #expect(Recorder.Options.debugging == expected)
    #expect(expected.wish.isSuperset(of: [.absorption, .stacks, .senders]))
  }

  @Test("T5, T7: every preset marks crashes, and production records nothing that costs more")
  func presets() throws {
    for text in ["", "preset=light", "preset=production"] {
      #expect(try Recorder.Options(text: text).handlesCrashes)
    }
    let production = try Recorder.Options(text: "preset=production")
    #expect(production == .production)
    #expect(production.wish.isDisjoint(with: [.absorption, .stacks, .senders]))
    #expect(!production.recordsReads)
    // What is said besides counts, wherever it stands.
    #expect(try Recorder.Options(text: "stacks,preset=production").recordsStacks)
    #expect(try !Recorder.Options(text: "stacks=no").wish.contains(.senders))
  }

  @Test(
    arguments: [
      ("ring=0", "ring"), ("ring=many", "ring"), ("ring=9999999M", "ring"), ("values=", "values"),
      ("policy", "policy"), ("colour=red", "colour"), ("keep=all", "keep"), ("first=1K", "keep"),
      ("rotate=never", "rotate"), ("files=few", "files"), ("snapshot=KILL", "snapshot"),
      ("snapshot=absorbed:moths", "snapshot"), ("keep=1M,rotate=1M", "rotate"),
      ("arguments=some", "arguments"), ("host=till", "host"),
      ("rotate=10m,keep=30s", "leave out"), ("keep=1M,files=3", "files"), ("files=3", "rotate"),
    ])
  func `a mistake names its option`(text: String, word: String) {
    #expect {
      try Recorder.Options(text: text)
    } throws: {
      ($0 as? OptionMistake)?.message.contains(word) == true
    }
  }

  @Test func `options that contradict each other are refused when recording starts`() {
    let folder = Folder()
    defer { Recorder.stop() }
    var ofBoth = Recorder.Options()
    ofBoth.policy = .keepLast(.bytes(1 << 20))
    ofBoth.rotation = .init(bytes: 1 << 20)
    var never = Recorder.Options()
    never.rotation = .init(files: 3)
    for options in [ofBoth, never] {
      #expect {
        try Recorder.start(to: folder.file("run.varve"), options: options)
      } throws: {
        ($0 as? TraceFileError)?.code == .wrongUse
      }
    }
    #expect(folder.names.isEmpty)
  }

  @Test func `a snapshot for absorption has absorption recorded`() throws {
    #expect(
      try Recorder.Options(text: "preset=light,snapshot=absorbed:repeated").wish.contains(
        .absorption))
    #expect(
      try !Recorder.Options(text: "preset=light,snapshot=failed:a").wish.contains(.absorption))
  }

  @Test func `a ring's capacity is a power of two between its bounds`() {
    let kibi = 1024
    let capacities = [
      1: 64 * kibi, 64 * kibi: 64 * kibi, 65_537: 128 * kibi, kibi * kibi: kibi * kibi,
      Int.max: 64 * kibi * kibi, -5: 64 * kibi,
    ]
    for (asked, given) in capacities {
      var options = Recorder.Options()
      options.ringCapacity = asked
      #expect(options.capacity == UInt64(given))
    }
  }
}
