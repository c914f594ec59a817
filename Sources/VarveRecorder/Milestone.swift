/// Moments at which the recorder's files are between two states. The recorder's tests kill the
/// program at these moments, which chance alone would seldom hit. In a release build, passing one
/// does nothing.
package enum Milestone: String, CaseIterable, Sendable {
  case sidecarMade, traceMade, recordingOpened
  case ringReserved, ringMapped, ringReady
  case definitionsWritten, threadsWritten, blockDue, blockWritten, blockPassed, lossesWritten
  case gapOpened, gapTold
  case nextFileWritten, oldFileLinked, nextFileInPlace, oldFileFinished
  case settled, trailerWritten, ringsRetired, sidecarRemoved

  #if DEBUG
    // Safety: set once, by a test program, before it records.
    package nonisolated(unsafe) static var watcher: (@Sendable (Milestone) -> Void)?

    func pass() { Self.watcher?(self) }
  #else
    @inline(__always) func pass() {}
  #endif
}
