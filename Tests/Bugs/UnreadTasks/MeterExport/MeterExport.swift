// Symptom: The command that exports the water meters says that it begins, and then my prompt is
// back. There is no file and no error, no matter how often I run it.
// Looks at: the export of the meters

import Foundation

struct Reading: Sendable {
  var meter: String
  var litres: Int
}

struct MeterService: Sendable {
  func readings(of meter: String) async throws -> [Reading] {
    try await Task.sleep(for: .milliseconds(60))
    return (1...3).map { Reading(meter: meter, litres: $0 * 120) }
  }
}

struct Exporter: Sendable {
  let service = MeterService()

  func export(_ meters: [String]) async throws -> String {
    var lines = ["meter;litres"]
    for meter in meters {
      for reading in try await service.readings(of: meter) {
        lines.append("\(reading.meter);\(reading.litres)")
      }
    }
    return lines.joined(separator: "\n")
  }
}

@main
struct ExportCommand {
  static func main() async {
    let meters = ["kitchen", "garden", "cellar"]
    print("exporting \(meters.count) meters")
    run(meters)
  }

  static func run(_ meters: [String]) {
    Task {  // culprit
      do {
        let text = try await Exporter().export(meters)
        print(text)
        print("exported \(text.utf8.count) bytes")
      } catch {
        print("the export failed: \(error)")
      }
    }
  }
}
