// The functions that libFuzzer looks for by name.

/// Reads one input. Whatever is wrong with the reader shows as a crash, a leak of time or of memory.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = UnsafeRawBufferPointer(start: bytes, count: count)
  guard let kind = input.first else { return 0 }
  let rest = UnsafeRawBufferPointer(rebasing: input.dropFirst())
  switch Input(rawValue: kind) ?? .trace {
  case .trace: Trial.shared.read(rest)
  case .records: Trial.readRecords(rest)
  case .definitions: Trial.readDefinitions(rest)
  case .sidecar: Trial.shared.readSidecar(rest)
  }
  return 0
}

/// What an input is, by its first byte.
enum Input: UInt8 {
  case trace = 0
  case records = 1
  case definitions = 2
  case sidecar = 3
}

/// Changes an input in `bytes`, which has room for `most`; returns its new length.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: CUnsignedInt
) -> Int {
  let isTrace = count > 0 && bytes[0] == Input.trace.rawValue
  guard isTrace, seed % 16 != 0,
    var trace = SplitTrace(UnsafeRawBufferPointer(start: bytes + 1, count: count - 1))
  else { return libFuzzerMutate(bytes, count, most) }
  trace.change(Chance(seed: UInt64(seed)), mostBytes: most - 1)
  let changed = trace.bytes
  guard changed.count < most else { return libFuzzerMutate(bytes, count, most) }
  for (index, byte) in changed.enumerated() { bytes[index + 1] = byte }
  return changed.count + 1
}

@_silgen_name("LLVMFuzzerMutate")
func libFuzzerMutate(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int) -> Int
