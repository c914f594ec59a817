// Symptom: On the first of the month our customers ring us up: the same invoice came to them two
// times.
// Looks at: the workers that send ("mailer 1")

import Foundation

/// What the post office took from us, by customer.
actor PostOffice: MailTransport {
  private(set) var delivered: [String: Int] = [:]

  func deliver(_ letter: Letter) async {
    try? await Task.sleep(for: .milliseconds(letter.invoice.pages * 10))
    delivered[letter.invoice.customer, default: 0] += 1
  }
}

struct SlowTemplates: TemplateRenderer {
  func render(_ invoice: Invoice) async -> String {
    try? await Task.sleep(for: .milliseconds(20))
    return "Dear \(invoice.customer), \(invoice.cents / 100) € are due."
  }
}

func mail(from queue: MailQueue, over transport: some MailTransport) async -> Int {
  var letters = 0
  while let letter = await queue.next() {
    await transport.deliver(letter)
    letters += 1
  }
  return letters
}

let invoices = ["Adler", "Brandt", "Celik", "Dietz", "Ebner", "Falk"].enumerated().map {
  Invoice(number: 700 + $0.offset, customer: $0.element, cents: 4_900, pages: 1 + $0.offset % 3)
}
let office = PostOffice()
let queue = MailQueue(invoices, templates: SlowTemplates())

let mailers = (1...2).map { number in
  Task(name: "mailer \(number)") { await mail(from: queue, over: office) }
}
var letters = 0
for mailer in mailers { letters += await mailer.value }

print("\(invoices.count) invoices, \(letters) letters")
for (customer, count) in await office.delivered.sorted(by: { $0.key < $1.key }) where count > 1 {
  print("\(customer) got \(count)")
}
