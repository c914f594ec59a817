// Symptom: The nightly import of the bank's files never comes to its end. All bookings are there,
// but the line with the sum isn't printed, and the job sits there until somebody kills it.
// Looks at: the import ("import")

import Foundation

func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// The file as it comes from the bank, in pieces that end anywhere.
let file = """
  H;2024-03-01;EUR
  B;Rent;-95000
  B;Salary;310000
  B;Bakery;-730
  B;Refund;1290
  T;4

  """
let chunks = AsyncStream<String> { out in
  var rest = Substring(file)
  while !rest.isEmpty {
    out.yield(String(rest.prefix(17)))
    rest = rest.dropFirst(17)
  }
  out.finish()
}

let job = Task(name: "import") {
  var sum = 0
  for await booking in BankParser().bookings(in: chunks) {
    sum += booking.cents
    say("\(booking.text): \(booking.cents)")
  }
  return sum
}
say("sum: \(await job.value)")
