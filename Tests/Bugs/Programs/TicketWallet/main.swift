// Symptom: I open my wallet once, and the statistics of the concert hall show that my phone has
// asked for a fresh entry code three times. Each code makes the one before it invalid.
// Looks at: the codes that the hall hands out ("codes")

import Foundation
import Varve

let hall = ConcertHall()
let wallet = Wallet(hall, seat: "Row 7, seat 12")
let screen = WalletScreen(wallet)
let watch = WatchFace(wallet)

hall.codes.signal.named("codes").observeValues { print("the hall has made code \($0)") }
screen.appear()
Thread.sleep(forTimeInterval: 0.02)
watch.mirror()
Thread.sleep(forTimeInterval: 0.15)
print("title:   \(screen.title.value)")
print("barcode: \(screen.barcode.value)")
print("watch:   \(watch.barcode.value)")
