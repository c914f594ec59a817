/// Who is being served.
enum Visitor {
  @TaskLocal static var language = "en"
}

/// Letters are printed one after the other, while the counter goes on.
final class PostRoom: Sendable {
  typealias Job = @Sendable () async -> Void

  private let jobs: AsyncStream<Job>
  private let tray: AsyncStream<Job>.Continuation

  init() { (jobs, tray) = AsyncStream.makeStream() }

  func add(_ job: @escaping Job) { tray.yield(job) }

  func close() { tray.finish() }

  func work() async {
    for await job in jobs { await job() }
  }
}

struct Letter: Sendable {
  let name: String
  let parking: Int

  func text(in language: String) -> String {
    switch language {
    case "fr": "Bonjour \(name), votre place est la \(parking)."
    case "de": "Guten Tag \(name), Ihr Platz ist die \(parking)."
    default: "Hello \(name), your place is \(parking)."
    }
  }
}

struct Printer: Sendable {
  func printOut(_ text: String) async {
    try? await Task.sleep(for: .milliseconds(20))
    print("  letter: " + text)
  }
}
