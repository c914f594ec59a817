#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

// The functions that libFuzzer looks for by name.

/// Reads one input. Whatever is wrong with the reader shows as a crash, a leak of time or of memory.
///
/// An input that took long is refused, which keeps it out of the corpus: large counts look new to
/// libFuzzer, so that it would change such an input again and again, and try little else. They are
/// made afresh now and then.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = UnsafeRawBufferPointer(start: bytes, count: count)
  guard let first = input.first else { return 0 }
  let rest = UnsafeRawBufferPointer(rebasing: input.dropFirst())
  let kind = Input(byte: first)
  let start = clock()
  MemoryWatch.begin(inputOf: count)
  switch kind.form {
  case .trace: Trial.shared.read(rest, kind.way)
  case .records: Trial.readRecords(rest)
  case .definitions: Trial.readDefinitions(rest)
  case .sidecar: Trial.shared.readSidecar(rest, kind.way)
  }
  MemoryWatch.end()
  return clock() - start > longest ? -1 : 0
}

/// So much of the processor's time may an input take that is to be kept: some twenty times of what
/// most take.
private let longest = CLOCKS_PER_SEC / 100

/// What an input is and what is done with it, by its first byte. One thing at a time: more inputs
/// are tried so in the same time, and what is found out about one is not done to all.
struct Input {
  enum Form: UInt8 {
    case trace = 0
    case records = 1
    case definitions = 2
    case sidecar = 3
  }

  var form: Form
  var way: Way

  init(_ form: Form, _ way: Way = .columns) {
    self.form = form
    self.way = way
  }

  init(byte: UInt8) {
    form = Form(rawValue: byte & 3) ?? .trace
    way = Way.allCases[Int(byte >> 2) % Way.allCases.count]
  }

  var byte: UInt8 { form.rawValue | way.rawValue << 2 }
}

/// Changes an input in `bytes`, which has room for `most`; returns its new length.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: CUnsignedInt
) -> Int {
  var chance = Chance(seed: UInt64(seed))
  guard let changed = changed(bytes, count, &chance), changed.count <= most else {
    return libFuzzerMutate(bytes, count, most)
  }
  changed.withUnsafeBufferPointer { bytes.update(from: $0.baseAddress!, count: $0.count) }
  return changed.count
}

/// An input changed by what is known of its form; nil when that has no idea.
private func changed(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ chance: inout Chance)
  -> [UInt8]?
{
  guard count > 1, !chance.once(in: 200) else { return FreshInput.make(&chance) }
  guard !chance.once(in: 32) else { return nil }
  var input = Input(byte: bytes[0])
  if chance.once(in: 8) { input.way = Way.allCases[chance.below(Way.allCases.count)] }
  let content = UnsafeRawBufferPointer(start: bytes + 1, count: count - 1)
  switch input.form {
  case .trace:
    guard var trace = SplitTrace(content) else { return nil }
    trace.change(&chance)
    return [input.byte] + trace.bytes
  case .sidecar:
    var sidecar = Array(content)
    for _ in 0...chance.below(3) { SidecarInput.change(&sidecar, &chance, room: 64) }
    return [input.byte] + sidecar
  case .definitions:
    var log = Array(content)
    let size = log.number(at: 0, bytes: 4)
    guard size >= 16, size <= log.count, !chance.once(in: 3) else {
      return [input.byte] + DefinitionBytes.definition(&chance) + log.prefix(4_096)
    }
    var first = Array(log[..<size])
    first.mutate(from: 8, room: 32)
    log.replaceSubrange(..<size, with: DefinitionBytes.sealed(first))
    return [input.byte] + log
  case .records: return nil
  }
}

@_silgen_name("LLVMFuzzerMutate")
func libFuzzerMutate(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int) -> Int
