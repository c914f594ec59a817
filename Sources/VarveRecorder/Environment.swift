internal import VarveFormat
internal import VarvePlatform

/// Starts recording when the environment asks for it, before `main`. Called from C (`start.c`).
///
/// When that cannot be, the program is told in one line on standard error and goes on.
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
  do throws(TraceFileError) {
    try Recorder.start(to: besideEarlierImage(path), options: options)
  } catch {
    StandardError.note("not recording: \(error)")
  }
}

/// Where to record: what the environment says, or a name beside it when this process has recorded
/// there before it ran another program in its own place, whose environment is the same.
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
