internal import CVarveSystem
internal import VarveProbe

/// What a trace's sidecar holds at one moment: what the recorded program has said and the trace's
/// blocks do not hold yet.
///
/// The writer may run on meanwhile. Take the snapshot first and read the file to its end
/// afterwards: what leaves a ring is in the file before, so nothing falls between the two, and what
/// is in both is told apart by ring and sequence number. Nothing in the sidecar is believed:
/// lengths are checked before they are followed, and whatever contradicts itself is left out.
public struct SidecarSnapshot: Sendable {
  /// The trace that the sidecar belongs to.
  public let trace: TraceID
  /// How the recording ended, as far as the sidecar knows; of a trace whose trailer says otherwise
  /// the trailer is right.
  public let ending: TraceEnding
  /// The last signal of a fault that a handler of the program's let it survive, if that was the last
  /// one of all.
  package let survivedSignal: Int32?
  /// What the threads' rings hold, those without records included.
  public let rings: [SidecarRing]
  /// Definitions that may not be in the file yet, for `DefinitionLog.read`.
  public let definitions: [UInt8]
  /// Losses that the file may not tell of yet. When the file tells of one of the same ring with
  /// the same first tick, it is the same one, and the larger count is right.
  public let losses: [TraceLoss]
  /// The threads that those losses and rings belong to.
  public let threads: [ThreadDefinition]
  /// The sidecar's size.
  public let bytes: UInt64
  /// What of the sidecar could not be read; offsets are the sidecar's.
  public let damage: [TraceDamage]

  /// Takes a snapshot of the sidecar that lies beside the trace at `path`; nil when there is none.
  ///
  /// The caller compares `trace` with the file's: a stranger's sidecar may lie there.
  public init?(ofTraceAt path: String) throws(TraceFileError) {
    guard let file = try SidecarFile(ofTraceAt: path),
      let header = file.load(vv_sidecar.self, at: 0), header.magic == VV_SIDECAR_MAGIC
    else { return nil }
    guard header.version == UInt32(VV_SIDECAR_VERSION) else {
      throw TraceFileError(
        .newerVersion, "a later version of Varve wrote the sidecar of \(path); update varve")
    }
    trace = header.trace
    bytes = file.bytes
    var regions = SidecarRegions(file: file, header: header)
    // Rings before definitions: a definition is there before the first record that refers to it.
    rings = regions.rings.compactMap { regions.readRing(at: $0) }
    definitions =
      regions.logs.flatMap { regions.readLog(at: $0) }
      + ((file.load(vv_sidecar.self, at: 0) ?? header).struckStack?.logged ?? [])
    let ringless = SidecarLosses(file: file, header: header)
    losses = rings.flatMap(\.losses) + ringless.losses
    threads = rings.map(\.thread) + ringless.threads
    damage = regions.damage
    let now = file.load(vv_sidecar.self, at: 0) ?? header
    ending = SidecarEnding.judge(now, of: file)
    survivedSignal = now.survivedSignal
  }
}

/// The records of one thread that no block may hold yet.
public struct SidecarRing: Sendable {
  /// The thread that wrote them.
  public let thread: ThreadDefinition
  /// Number of the first of them in its ring.
  public let firstSequence: UInt64
  /// How many there are. All are sound: `RingRecords.check` has passed them.
  public let count: Int

  let records: [UInt8]
  let losses: [TraceLoss]
  /// The number of the last record that the file holds or tells of, or that `losses` tell of.
  let told: UInt64

  /// Lends the records, whole and one after the other as they lie in the ring.
  public func withRecords<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let lent = records.span.bytes
    return try lent.withUnsafeBytes(body)
  }
}
