// Symptom: The list says "no results for you" although my doctor has read three of them to me. There
// is no message about an error.
// Looks at: results (what is listed)
import Foundation
import Varve

enum LabError: Error {
  case expired
}

struct Finding: Equatable, Sendable {
  let name: String
  let value: Double
}

final class Laboratory: Sendable {
  let isTokenValid = MutableProperty(true)
  private let network = QueueScheduler(name: "network")

  func pages() -> SignalProducer<[Finding], LabError> {
    SignalProducer([1.0, 2, 3])
      .promoteError(LabError.self)
      .attemptMap { [isTokenValid] number -> Result<[Finding], LabError> in
        isTokenValid.value
          ? .success([Finding(name: "test \(Int(number))", value: number * 3.5)])
          : .failure(.expired)
      }
      .start(on: network)
  }
}

final class ResultModel: Sendable {
  let refresh: Action<Void, [Finding], LabError>
  let results = MutableProperty<[Finding]>([])
  let message = MutableProperty("")

  init(_ laboratory: Laboratory) {
    refresh = Action { _ in
      laboratory.pages()
        // A page that is empty is no reason to show nothing of the others.
        .flatMapError { _ in SignalProducer(value: []) }  // culprit
        .reduce([], +)
        .promoteError(LabError.self)
    }
    results <~ refresh.values.named("results")
    message <~ refresh.errors.map { "The laboratory refused: \($0)" }
  }
}

let laboratory = Laboratory()
let model = ResultModel(laboratory)
model.results.signal.observeValues {
  print($0.isEmpty ? "no results for you" : "\($0.count) results")
}
model.message.signal.observeValues { print("message: \($0)") }
model.refresh.apply().start()
Thread.sleep(forTimeInterval: 0.1)
laboratory.isTokenValid.value = false
model.refresh.apply().start()
Thread.sleep(forTimeInterval: 0.1)
