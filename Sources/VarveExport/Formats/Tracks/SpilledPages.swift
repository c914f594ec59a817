package import VarveAnalysis
internal import VarvePlatform

/// Pages of memory, all but those that were used last of which are kept in a temporary file.
///
/// Where no such file can be made or grow, they all stay in memory. The file has no name, so it goes with
/// the process.
///
/// Safety: they belong to whoever made them, and change only while one thread reads a trace.
package final class SpilledPages: @unchecked Sendable {
  /// What is in a page: 0 until it is written.
  package typealias Page = UnsafeMutablePointer<UInt64>

  /// The words of a page, and their bytes.
  package static let words = 512
  package static let bytes = 8 * words

  /// A place in memory, and the page there.
  private struct Frame {
    let memory: Page
    var number: Int
    /// When the page was asked for last.
    var lastUse: UInt64
  }

  private enum Place {
    case frame(Int), file, free
  }

  private enum File {
    case none, open(Int32), unusable
  }

  // Safety: what is not checked is looked at for every few events, by one thread, and nothing calls out
  // while it changes one of these.
  @exclusivity(unchecked) private var frames: [Frame] = []
  @exclusivity(unchecked) private var places: [Place] = []
  @exclusivity(unchecked) private var clock: UInt64 = 0
  private var freeFrames: [Int] = []
  private var freeNumbers: [Int] = []
  private var file = File.none
  private let walk: TraceWalk
  private let most: Int

  /// Makes no page yet; `most` of them are to be in memory. A page that cannot be read again is emptied, and
  /// counted in the walk.
  package init(_ walk: TraceWalk, most: Int) {
    self.walk = walk
    self.most = most
  }

  deinit {
    for frame in frames { frame.memory.deallocate() }
    if case .open(let descriptor) = file { close(descriptor) }
  }

  /// Makes a page; returns its number.
  package func add() -> Int {
    let number = freeNumbers.popLast() ?? places.count
    let frame = takeFrame(for: number)
    frames[frame].memory.update(repeating: 0, count: Self.words)
    if number == places.count {
      places.append(.frame(frame))
    } else {
      places[number] = .frame(frame)
    }
    return number
  }

  /// Returns a page, which stays where it is until another one is asked for.
  package func page(_ number: Int) -> Page {
    let frame: Int
    switch places[number] {
    case .frame(let known): frame = known
    case .file, .free: frame = read(number)
    }
    clock += 1
    frames[frame].lastUse = clock
    return frames[frame].memory
  }

  /// Forgets a page.
  package func remove(_ number: Int) {
    if case .frame(let frame) = places[number] { freeFrames.append(frame) }
    places[number] = .free
    freeNumbers.append(number)
  }

  // MARK: - The file

  private func read(_ number: Int) -> Int {
    let frame = takeFrame(for: number)
    places[number] = .frame(frame)
    let memory = frames[frame].memory
    guard case .open(let descriptor) = file,
      pread(descriptor, memory, Self.bytes, off_t(number * Self.bytes)) == Self.bytes
    else {
      walk.passOver(.work)
      memory.update(repeating: 0, count: Self.words)
      return frame
    }
    return frame
  }

  /// Returns a place for a page: a free one or, if there are enough, that of the page whose last use is
  /// longest ago.
  private func takeFrame(for number: Int) -> Int {
    clock += 1
    if let frame = freeFrames.popLast() ?? (frames.count < most ? nil : evicted()) {
      (frames[frame].number, frames[frame].lastUse) = (number, clock)
      return frame
    }
    let memory = Page.allocate(capacity: Self.words)
    memory.initialize(repeating: 0, count: Self.words)
    frames.append(Frame(memory: memory, number: number, lastUse: clock))
    return frames.count - 1
  }

  /// Puts a page into the file; returns the place that it leaves.
  private func evicted() -> Int? {
    guard let descriptor = descriptor(),
      let frame = frames.indices.min(by: { frames[$0].lastUse < frames[$1].lastUse })
    else { return nil }
    let number = frames[frame].number
    let written = pwrite(
      descriptor, frames[frame].memory, Self.bytes, off_t(number * Self.bytes))
    // What was put there before can still be read.
    guard written == Self.bytes else { return nil }
    places[number] = .file
    return frame
  }

  private func descriptor() -> Int32? {
    switch file {
    case .open(let descriptor): return descriptor
    case .unusable: return nil
    case .none:
      let folder = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
      var template = Array("\(folder ?? "/tmp")/varve-XXXXXX".utf8CString)
      let descriptor = template.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.map { mkstemp($0) } ?? -1
      }
      guard descriptor >= 0 else {
        file = .unusable
        return nil
      }
      unlink(template)
      file = .open(descriptor)
      return descriptor
    }
  }
}
