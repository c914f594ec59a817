// Symptom: None; this works.
// Looks at: the labels of the parcels ("label")

import Foundation

enum LabelError: Error {
  case unknownPostcode(String)
}

struct Parcel: Sendable {
  let postcode: String
  let grams: Int
}

actor Post {
  private var busy = 0
  private(set) var most = 0

  func label(for parcel: Parcel) async throws -> String {
    busy += 1
    most = max(most, busy)
    defer { busy -= 1 }
    try await Task.sleep(for: .milliseconds(parcel.grams / 40))
    guard parcel.postcode.count == 4 else {
      throw LabelError.unknownPostcode(parcel.postcode)
    }
    return "\(parcel.postcode)-\(parcel.grams)"
  }
}

extension Array where Element: Sendable {
  /// Not more than `limit` at a time; each result at the place of its element, whatever became
  /// of the others.
  func results<Output: Sendable>(
    limit: Int, name: String, _ work: @escaping @Sendable (Element) async throws -> Output
  ) async -> [Result<Output, any Error>] {
    await withTaskGroup(of: (Int, Result<Output, any Error>).self) { group in
      func start(_ index: Int) {
        let element = self[index]
        group.addTask(name: name) {
          do {
            return (index, .success(try await work(element)))
          } catch {
            return (index, .failure(error))
          }
        }
      }
      var next = Swift.min(limit, count)
      for index in 0..<next { start(index) }
      var results: [Result<Output, any Error>?] = Array<Result<Output, any Error>?>(
        repeating: nil, count: count)
      while let (index, result) = await group.next() {
        results[index] = result
        guard next < count else { continue }
        start(next)
        next += 1
      }
      return results.compactMap { $0 }
    }
  }
}

let parcels = [
  Parcel(postcode: "8001", grams: 2400), Parcel(postcode: "3011", grams: 400),
  Parcel(postcode: "12", grams: 900), Parcel(postcode: "4051", grams: 1600),
  Parcel(postcode: "6003", grams: 200), Parcel(postcode: "9000", grams: 1200),
]
let post = Post()
let labels = await parcels.results(limit: 3, name: "label") { try await post.label(for: $0) }
for (parcel, label) in zip(parcels, labels) {
  switch label {
  case .success(let text): print("\(parcel.postcode): \(text)")
  case .failure(let error): print("\(parcel.postcode): by hand, \(error)")
  }
}
print("at most \(await post.most) at a time")
