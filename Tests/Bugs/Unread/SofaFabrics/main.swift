// Symptom: In the sofa configurator I tap through the fabrics. When I stop at "linen" the picture of the
// sofa is right for a moment, and then jumps back to the velvet that I had tapped before.
// Looks at: the picture that is shown ("preview")

import Foundation
import Varve

struct Fabric: Hashable, Sendable {
  let name: String
  /// How long the studio takes to draw the sofa in it.
  let effort: Int
}

struct SofaImage: Sendable {
  let fabric: Fabric
  let angle: Int
}

protocol ImageStudio: Sendable {
  func image(of fabric: Fabric, angle: Int) -> SignalProducer<SofaImage, Never>
}

final class RemoteStudio: ImageStudio {
  private let network = QueueScheduler(name: "network")

  func image(of fabric: Fabric, angle: Int) -> SignalProducer<SofaImage, Never> {
    SignalProducer { [network] observer, lifetime in
      lifetime += network.schedule(after: .milliseconds(fabric.effort)) {
        observer.send(value: SofaImage(fabric: fabric, angle: angle))
        observer.sendCompleted()
      }
    }
  }
}

extension SignalProducer where Failure == Never {
  /// Loads something for each value that differs from the one before.
  func load<Output>(
    _ request: @escaping @Sendable (Value) -> SignalProducer<Output, Never>
  ) -> SignalProducer<Output, Never> where Value: Equatable {
    skipRepeats().flatMap(.merge, request)  // culprit
  }
}

final class ConfiguratorViewModel: Sendable {
  let fabric: MutableProperty<Fabric>
  let preview = MutableProperty<SofaImage?>(nil, named: "preview")

  init(studio: any ImageStudio, first: Fabric) {
    fabric = MutableProperty(first)
    preview <~ fabric.producer.load { studio.image(of: $0, angle: 30) }
  }

  var title: String {
    "chosen: \(fabric.value.name), picture: \(preview.value?.fabric.name ?? "-")"
  }
}

let velvet = Fabric(name: "velvet", effort: 140)
let leather = Fabric(name: "leather", effort: 90)
let linen = Fabric(name: "linen", effort: 25)
let model = ConfiguratorViewModel(studio: RemoteStudio(), first: leather)
Thread.sleep(forTimeInterval: 0.15)
print(model.title)
for fabric in [velvet, linen] {
  model.fabric.value = fabric
  Thread.sleep(forTimeInterval: 0.04)
}
print(model.title)
Thread.sleep(forTimeInterval: 0.2)
print(model.title)
