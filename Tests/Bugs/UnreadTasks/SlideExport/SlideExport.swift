// Symptom: After "Cancel", a deck is saved all the same, with most of its slides missing.
// Looks at: the export ("export deck")

import Foundation

struct Slide: Sendable {
  let number: Int
  let pictures: Int
}

struct Renderer: Sendable {
  func render(_ slide: Slide) async throws -> String {
    for _ in 0..<slide.pictures {
      try await Task.sleep(for: .milliseconds(10))
    }
    return "<page \(slide.number)>"
  }
}

actor Disk {
  private(set) var files: [String: String] = [:]

  func write(_ text: String, to name: String) {
    files[name] = text
    print("\(name) saved")
  }
}

struct DeckExporter: Sendable {
  let renderer = Renderer()
  let disk: Disk

  func export(_ slides: [Slide], as name: String) async {
    var pages: [String] = []
    for slide in slides {
      do {
        pages.append(try await renderer.render(slide))
      } catch {  // culprit
        print("slide \(slide.number) left out")
      }
    }
    await disk.write(pages.joined(), to: name)
  }
}

let disk = Disk()
let exporter = DeckExporter(disk: disk)
let slides = (1...8).map { Slide(number: $0, pictures: $0 % 3 + 1) }
let export = Task(name: "export deck") { await exporter.export(slides, as: "talk.pdf") }
try await Task.sleep(for: .milliseconds(75))
print("cancel")
export.cancel()
await export.value
print(await disk.files["talk.pdf"] ?? "no file")
