// Symptom: The students get the slides of the lecture in a wild order; each time I make the booklet, in
// another one. Each slide is there once.
// Looks at: the making of the booklet ("booklet")

import Foundation

struct Slide: Sendable {
  let title: String
  let pictures: Int
}

struct RenderedSlide: Sendable {
  let title: String
  let bytes: Int
}

protocol SlideRenderer: Sendable {
  func render(_ slide: Slide) async throws -> RenderedSlide
}

struct CloudRenderer: SlideRenderer {
  func render(_ slide: Slide) async throws -> RenderedSlide {
    try await Task.sleep(for: .milliseconds(10 + slide.pictures * 12))
    return RenderedSlide(title: slide.title, bytes: 4_000 + slide.pictures * 90_000)
  }
}

extension Collection where Element: Sendable {
  /// The results of all elements, asked for at the same time.
  func concurrentMap<Result: Sendable>(
    _ transform: @escaping @Sendable (Element) async throws -> Result
  ) async throws -> [Result] {
    try await withThrowingTaskGroup(of: Result.self) { group in
      for element in self {
        group.addTask { try await transform(element) }
      }
      var results: [Result] = []
      for try await result in group { results.append(result) }  // culprit
      return results
    }
  }
}

struct Booklet: Sendable {
  let renderer: any SlideRenderer

  func make(_ slides: [Slide]) async throws -> String {
    let pages = try await slides.concurrentMap { try await renderer.render($0) }
    let size = pages.reduce(0) { $0 + $1.bytes } / 1_000
    let lines = pages.enumerated().map { "  page \($0.offset + 1): \($0.element.title)" }
    return (lines + ["  \(size) kB"]).joined(separator: "\n")
  }
}

let lecture = [
  Slide(title: "Welcome", pictures: 6),
  Slide(title: "What is a glacier?", pictures: 3),
  Slide(title: "Snow becomes ice", pictures: 1),
  Slide(title: "How ice flows", pictures: 4),
  Slide(title: "Moraines", pictures: 2),
  Slide(title: "Questions", pictures: 0),
]
let booklet = Booklet(renderer: CloudRenderer())
for copy in 1...2 {
  let making = Task(name: "booklet") { try await booklet.make(lecture) }
  print("booklet \(copy)\n\(try await making.value)")
}
