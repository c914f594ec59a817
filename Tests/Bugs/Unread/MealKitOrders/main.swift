// Symptom: My box left the kitchen half an hour ago, as the mail says. The app still says "being
// packed"; when I change the number of meals, it suddenly knows.
// Looks at: the text of the row ("row")

import Foundation
import Varve

let backend = QueueScheduler(name: "backend")
let store = OrderStore()
let row = OrderRow(store.order(2201))

row.caption.producer.named("row").startWithValues { print($0) }

backend.schedule {
  store.receive(Order(id: 2201, box: "Veggie", meals: 3, status: .packing))
}
for (wait, status) in [(40, Order.Status.onTheWay), (80, .delivered)] {
  _ = backend.schedule(after: .milliseconds(wait)) {
    store.update(2201) { $0.status = status }
  }
}
Thread.sleep(forTimeInterval: 0.16)
store.update(2201) { $0.meals = 4 }
Thread.sleep(forTimeInterval: 0.04)
