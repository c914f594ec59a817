internal import CVarveSystem
internal import VarveProbe

/// The contents of a trace's sidecar at one moment: what the recorded program has written and the
/// trace's blocks do not contain yet.
///
/// The writer may continue meanwhile. Take the snapshot first and read the file to its end
/// afterwards: records are in the file before they leave a ring, so nothing is missed, and
/// duplicates are recognized by ring and sequence number. Nothing in the sidecar is trusted:
/// lengths are checked before they are used, and anything that contradicts itself is left out.
public struct SidecarSnapshot: Sendable {
  /// The trace that the sidecar belongs to.
  public let trace: TraceID
  /// The way the recording ended, as far as the sidecar shows; if the trace has a trailer,
  /// that decides.
  public let ending: TraceEnding
  /// The signal of the last fault, if a handler of the program let it continue.
  package let survivedSignal: Int32?
  /// The tick at which the recorded program was last known to be alive; 0 if unknown.
  public let lastSeen: UInt64
  /// The contents of the threads' rings, including those without records.
  public let rings: [SidecarRing]
  /// Definitions that may not be in the file yet, for `DefinitionLog.read`.
  public let definitions: [UInt8]
  /// Losses that the file may not report yet. A loss in the file with the same ring and the same
  /// first tick is the same one, and the larger count is right.
  public let losses: [TraceLoss]
  /// The threads that those losses and rings belong to.
  public let threads: [ThreadDefinition]
  /// The sidecar's size.
  public let bytes: UInt64
  /// The parts of the sidecar that could not be read, with offsets in the sidecar.
  public let damage: [TraceDamage]

  /// Takes a snapshot of the sidecar beside the trace at `path`; nil if there is none.
  ///
  /// The caller must compare `trace` with the file's ID, since the sidecar may belong to another
  /// trace.
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
    // Rings before definitions: a definition is stored before the first record that refers to it.
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
    lastSeen = now.lastSeen
  }
}

/// The records of one thread that may not be in a block yet.
public struct SidecarRing: Sendable {
  /// The thread that wrote them.
  public let thread: ThreadDefinition
  /// The number of the first record in its ring.
  public let firstSequence: UInt64
  /// The number of records. All are sound: they have passed `RingRecords.check`.
  public let count: Int

  let records: [UInt8]
  let losses: [TraceLoss]
  /// The number of the last record that is in the file or reported in it, or reported in `losses`.
  let told: UInt64

  /// Calls `body` with the consecutive whole records, as stored in the ring.
  public func withRecords<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let lent = records.span.bytes
    return try lent.withUnsafeBytes(body)
  }
}
