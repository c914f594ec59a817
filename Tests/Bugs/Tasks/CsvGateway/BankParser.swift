import Foundation

struct Booking: Sendable {
  let text: String
  let cents: Int
}

/// Reads the records of a bank's file: a head, bookings, and a trailer with their number.
struct BankParser {
  func bookings(in chunks: AsyncStream<String>) -> AsyncStream<Booking> {
    let (bookings, out) = AsyncStream.makeStream(of: Booking.self)
    let parser = Task(name: "parser") {
      var buffer = ""
      var count = 0
      for await chunk in chunks {
        buffer += chunk
        while let end = buffer.firstIndex(of: "\n") {
          let fields = buffer[..<end].split(separator: ";")
          buffer.removeSubrange(...end)
          switch fields.first {
          case "B":
            count += 1
            out.yield(Booking(text: String(fields[1]), cents: Int(fields[2]) ?? 0))
          case "T":
            precondition(Int(fields[1]) == count, "the bank counts otherwise")
            return  // culprit
          default:
            continue
          }
        }
      }
      out.finish()
    }
    out.onTermination = { _ in parser.cancel() }
    return bookings
  }
}
