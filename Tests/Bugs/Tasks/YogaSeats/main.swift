// Symptom: A course has eight mats. When the booking opens at seven o'clock we sell ten or more, and some
// people have to go home again.
// Looks at: the bookings of the members ("booking")

import Foundation

struct Member: Sendable, Hashable {
  let number: Int
  let hasPaid: Bool
}

enum BookingError: Error {
  case full
  case feeIsDue
}

/// The accounts of the studio, on another server.
struct MembershipService: Sendable {
  func checkFee(of member: Member) async throws {
    try await Task.sleep(for: .milliseconds(20 + member.number % 5))
    guard member.hasPaid else { throw BookingError.feeIsDue }
  }
}

actor Course {
  let title: String
  private let mats: Int
  private let service: MembershipService
  private var booked: [Member] = []

  init(_ title: String, mats: Int, service: MembershipService) {
    self.title = title
    self.mats = mats
    self.service = service
  }

  var count: Int { booked.count }

  func book(_ member: Member) async throws -> Int {
    guard booked.count < mats else { throw BookingError.full }
    try await service.checkFee(of: member)  // culprit
    booked.append(member)
    return booked.count
  }
}

let course = Course("Morning yoga", mats: 8, service: MembershipService())

// Three early birds, each by itself.
for number in 1...3 {
  let booking = Task(name: "booking") {
    try await course.book(Member(number: number, hasPaid: true))
  }
  print("member \(number) has mat \(try await booking.value)")
}

// At seven o'clock all the others.
let rush = (4...15).map { number in
  Task(name: "booking") {
    try await course.book(Member(number: number, hasPaid: number % 6 != 0))
  }
}
var refused = 0
for booking in rush {
  do {
    print("mat \(try await booking.value)")
  } catch {
    refused += 1
  }
}
print("\(course.title): \(await course.count) people for 8 mats, \(refused) refused")
