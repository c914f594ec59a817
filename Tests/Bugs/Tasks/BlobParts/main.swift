// Symptom: Large files that were fetched from the store in parts are broken: all the bytes are
// there, but not where they belong. Small files of one part are fine.
// Looks at: the download ("download")

import Foundation

struct PartRange: Sendable {
  let index: Int
  let bytes: Range<Int>
}

/// A bucket of the object store.
struct Bucket: Sendable {
  let objects: [String: [UInt8]]

  func size(of key: String) async throws -> Int {
    try await Task.sleep(for: .milliseconds(5))
    return objects[key]?.count ?? 0
  }

  func get(_ key: String, _ range: PartRange) async throws -> ArraySlice<UInt8> {
    try await Task.sleep(for: .milliseconds(20 + 40 * (3 - min(range.index, 3))))
    return objects[key]?[range.bytes] ?? []
  }
}

extension Bucket {
  private func parts(_ size: Int, of length: Int) -> [PartRange] {
    stride(from: 0, to: size, by: length).enumerated().map { index, start in
      PartRange(index: index, bytes: start..<min(start + length, size))
    }
  }

  func download(_ key: String, partLength: Int) async throws -> [UInt8] {
    let ranges = parts(try await size(of: key), of: partLength)
    return try await withThrowingTaskGroup(of: ArraySlice<UInt8>.self) { group in
      for range in ranges {
        group.addTask(name: "part \(range.index)") { try await get(key, range) }
      }
      var object: [UInt8] = []
      for try await part in group {
        object += part  // culprit
      }
      return object
    }
  }
}

let poem = "The quick brown fox jumps over the lazy dog. "
let bucket = Bucket(objects: ["small.txt": Array("Hello.".utf8), "large.txt": Array(poem.utf8)])

for key in ["small.txt", "large.txt"] {
  let download = Task(name: "download") { try await bucket.download(key, partLength: 12) }
  let object = try await download.value
  let intact = object == bucket.objects[key]
  print("\(key): \(object.count) bytes, \(intact ? "intact" : "broken")")
  print("  \(String(decoding: object, as: UTF8.self))")
}
