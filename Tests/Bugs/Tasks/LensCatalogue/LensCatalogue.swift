// Symptom: In the catalogue of lenses I tap on the long one and, as it takes a while, on the
// short one. The title says "35 mm", but the sample photo below is that of the 400 mm.
// Looks at: the photo of the lens that was chosen last ("sample 35 mm")

import Foundation

struct Lens: Sendable, Equatable {
  let millimetres: Int
  var title: String { "\(millimetres) mm" }
}

struct Sample: Sendable {
  let lens: Lens
  let pixels: Int
}

actor SampleServer {
  private var kept: [Int: Sample] = [:]

  /// Photos of long lenses are large, and come in pieces.
  func sample(of lens: Lens) async throws -> Sample {
    if let sample = kept[lens.millimetres] { return sample }
    var pixels = 0
    for _ in 0..<(lens.millimetres / 25 + 1) {
      try await Task.sleep(for: .milliseconds(10))
      pixels += 250_000
    }
    let sample = Sample(lens: lens, pixels: pixels)
    kept[lens.millimetres] = sample
    return sample
  }
}

@MainActor
final class LensPage {
  private(set) var title = ""
  private(set) var photo = "(grey)"
  private let server: SampleServer
  private var loading: Task<Void, Never>?

  init(server: SampleServer) { self.server = server }

  func choose(_ lens: Lens) {
    title = lens.title
    photo = "(grey)"
    loading = Task(name: "sample \(lens.title)") {  // culprit
      do {
        let sample = try await server.sample(of: lens)
        photo = "\(sample.pixels) pixels of the \(sample.lens.title)"
      } catch is CancellationError {
        return
      } catch {
        photo = "(no photo)"
      }
    }
  }

  func close() { loading?.cancel() }
}

let page = LensPage(server: SampleServer())
page.choose(Lens(millimetres: 400))
try await Task.sleep(for: .milliseconds(40))
page.choose(Lens(millimetres: 35))
try await Task.sleep(for: .milliseconds(500))
print("\(page.title): \(page.photo)")
page.close()
