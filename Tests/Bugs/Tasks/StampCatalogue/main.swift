// Symptom: Reading the catalogue of a collection took no time at all. Since the window has a bar
// that shows how far it is, it takes more than a second.
// Looks at: the import ("import")

import Foundation

struct Stamp: Sendable {
  let country: String
  let year: Int
  let value: Double
}

@MainActor
protocol ImporterDelegate: AnyObject, Sendable {
  func importer(didRead count: Int, of total: Int)
}

struct Importer: Sendable {
  weak var delegate: (any ImporterDelegate)?

  func read(_ lines: [String]) async -> [Stamp] {
    var stamps: [Stamp] = []
    for (index, line) in lines.enumerated() {
      if let stamp = parse(line) { stamps.append(stamp) }
      await delegate?.importer(didRead: index + 1, of: lines.count)  // culprit
    }
    return stamps
  }

  private func parse(_ line: String) -> Stamp? {
    let fields = line.split(separator: ";")
    guard fields.count == 3, let year = Int(fields[1]), let value = Double(fields[2]) else {
      return nil
    }
    return Stamp(country: String(fields[0]), year: year, value: value)
  }
}

@MainActor
final class ImportWindow: ImporterDelegate {
  private var title = ""
  private var bar = ""

  func importer(didRead count: Int, of total: Int) {
    title = "\(count * 100 / total) %"
    bar = String(repeating: "▮", count: count * 30 / total)
    draw()
  }

  private func draw() {
    // The text is set, the window's layer is filled, and so on.
    Thread.sleep(forTimeInterval: 0.0006)
  }
}

func seconds(_ importer: Importer, _ lines: [String], name: String) async -> String {
  let clock = ContinuousClock()
  let begin = clock.now
  let stamps = await Task(name: name) { await importer.read(lines) }.value
  let taken = clock.now - begin
  return "\(stamps.count) stamps in \(taken.formatted(.units(allowed: [.milliseconds])))"
}

let lines = (0..<1_500).map { "Country \($0 % 90);\(1850 + $0 % 150);\(Double($0 % 40) / 4)" }
let window = ImportWindow()
print("without a window:", await seconds(Importer(), lines, name: "plain import"))
print("with the window:", await seconds(Importer(delegate: window), lines, name: "import"))
