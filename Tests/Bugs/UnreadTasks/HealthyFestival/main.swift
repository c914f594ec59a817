// Symptom: None; the stages answer in any order, and the programme lists them in ours.
// Looks at: the making of the programme ("programme")

import Foundation

struct Concert: Sendable {
  let stage: String
  let bands: [String]
}

struct StageServer: Sendable {
  func concert(on stage: String) async throws -> Concert {
    try await Task.sleep(for: .milliseconds(60 - stage.utf8.count * 4))
    return Concert(
      stage: stage, bands: ["The \(stage)ers", "DJ \(stage.reversed().map(String.init).joined())"])
  }
}

extension Sequence where Element: Sendable {
  /// The results of all elements, in their order.
  func concurrentMap<Result: Sendable>(
    _ transform: @escaping @Sendable (Element) async throws -> Result
  ) async throws -> [Result] {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      for (index, element) in enumerated() {
        group.addTask { (index, try await transform(element)) }
      }
      var results: [(Int, Result)] = []
      for try await result in group { results.append(result) }
      return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}

@MainActor
final class ProgrammeModel {
  private(set) var lines: [String] = []
  private let server = StageServer()

  func load(_ stages: [String]) async {
    do {
      async let tent = server.concert(on: "Tent")
      let concerts = try await stages.concurrentMap { [server] in try await server.concert(on: $0) }
      lines = (concerts + [try await tent]).map {
        "\($0.stage): \($0.bands.joined(separator: ", "))"
      }
    } catch {
      lines = ["no programme: \(error)"]
    }
  }
}

let model = ProgrammeModel()
for stages in [["Main", "Lake", "Forest stage"], ["Forest stage", "Old barn", "Main"]] {
  let loading = Task(name: "programme") { await model.load(stages) }
  await loading.value
  model.lines.forEach { print($0) }
  print("–")
}
