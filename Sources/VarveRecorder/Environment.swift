internal import VarveFormat
internal import VarvePlatform

/// Starts recording when the environment asks for it, before `main`. Called from C (`process.c`).
///
/// If that is impossible, a line on standard error says so, and the program continues.
@_cdecl("varve_recorder_start_from_environment")
package func startFromEnvironment() {
  guard let path = getenv("VARVE_TRACE").map({ String(cString: $0) }), !path.isEmpty else { return }
  let text = getenv("VARVE_OPTIONS").map { String(cString: $0) } ?? ""
  let options: Recorder.Options
  do throws(OptionMistake) {
    options = try Recorder.Options(text: text)
  } catch {
    StandardError.note("not recording; VARVE_OPTIONS: \(error.message)")
    return
  }
  if let other = recordedBefore(path) {
    StandardError.note(
      "not recording: \(path) holds what process \(other) of this run recorded; "
        + "a path with %p gives each process a file of its own")
    return
  }
  do throws(TraceFileError) {
    try Recorder.start(
      to: besideEarlierImage(path), options: options, isFromTheFirst: true)
  } catch {
    StandardError.note("not recording: \(error)")
  }
}

/// Returns the other process that has recorded to a path since `varve run` began, which says when that was:
/// a script may start several programs, and none may take the trace of the one before.
private func recordedBefore(_ path: String) -> UInt32? {
  guard !TracePath.isOfOneProcess(path),
    let began = getenv("VARVE_RUN_BEGAN").flatMap({ UInt64(String(cString: $0)) }),
    let other = try? TraceReader(path: path).header.process,
    other.started >= began, other.pid != UInt32(getpid())
  else { return nil }
  return other.pid
}

/// Returns the path to record to: the one in the environment, or a name beside it if this process
/// has recorded there before it replaced itself with another program with the same environment.
private func besideEarlierImage(_ template: String) -> String {
  let path = TracePath.resolve(template)
  guard let writer = try? Sidecar.writer(ofTraceAt: path), writer.isEarlierImage else {
    return template
  }
  let other = TracePath.unused(template, "exec-", from: 1)
  StandardError.note(
    "\(path) holds what this process recorded before it ran another program in its own place; "
      + "recording to \(TracePath.resolve(other))")
  return other
}
