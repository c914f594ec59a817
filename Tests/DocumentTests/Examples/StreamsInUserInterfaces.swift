import Testing
import Varve

// example
final class SearchModel: Sendable {
  /// What the user types; the view writes it.
  let query = MutableProperty("", named: "query")
  /// What the view lists.
  let results: Property<[String]>
  /// What the button does; the view enables it by `isEnabled`.
  let bookmark: Action<Void, Void, Never>

  init(
    on scheduler: any TimedScheduler = QueueScheduler.main,
    lookUp: @escaping @Sendable (String) -> SignalProducer<[String], Never>,
    save: @escaping @Sendable (String) -> SignalProducer<Void, Never>
  ) {
    results = Property(
      initial: [],
      then: query.signal
        .debounce(.milliseconds(300), on: scheduler)
        .skipRepeats()
        .flatMap(.latest) { lookUp($0).named("lookup") }
        .named("results"))
    bookmark = Action(state: query, enabledIf: { !$0.isEmpty }, named: "bookmark") { query, _ in
      save(query)
    }
  }
}
// end

// example
#if canImport(SwiftUI)
  import SwiftUI

  @MainActor @Observable
  final class SearchScreen {
    private let model: SearchModel
    private(set) var results: [String] = []
    private(set) var canBookmark = false
    var query = "" {
      didSet { model.query.value = query }
    }

    init(_ model: SearchModel) { self.model = model }

    func bookmark() { model.bookmark.apply().start() }

    /// Copies what the model lists, until the task is cancelled.
    func followResults() async {
      for await results in model.results.values(buffering: .newest(1)) {
        self.results = results
      }
    }

    /// Copies whether there is something to bookmark.
    func followBookmark() async {
      for await isEnabled in model.bookmark.isEnabled.values(buffering: .newest(1)) {
        canBookmark = isEnabled
      }
    }
  }

  struct SearchView: View {
    @State var screen: SearchScreen

    var body: some View {
      VStack {
        HStack {
          TextField("Search", text: $screen.query)
          Button("Bookmark") { screen.bookmark() }.disabled(!screen.canBookmark)
        }
        List(screen.results, id: \.self) { Text($0) }
      }
      .task { await screen.followResults() }
      .task { await screen.followBookmark() }
    }
  }
#endif
// end

// example
#if canImport(UIKit) && !os(watchOS)
  import UIKit

  final class SearchController: UIViewController {
    private let model: SearchModel
    private let (lifetime, token) = Lifetime.make()
    private let field = UITextField()
    private let label = UILabel()
    private let button = UIButton(type: .system)

    init(_ model: SearchModel) {
      self.model = model
      super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
      super.viewDidLoad()
      for view in [field, label, button] { self.view.addSubview(view) }
      field.addAction(
        UIAction { [model, field] _ in model.query.value = field.text ?? "" },
        for: .editingChanged)
      button.addAction(
        UIAction { [model] _ in model.bookmark.apply().start() }, for: .touchUpInside)

      lifetime += model.results.producer.startWithValuesOnMain { [label] results in
        label.text = results.joined(separator: "\n")
      }
      lifetime += model.bookmark.isEnabled.producer.startWithValuesOnMain { [button] isEnabled in
        button.isEnabled = isEnabled
      }
    }
  }
#endif
// end

@Suite("StreamsInUserInterfaces.md") struct StreamsInUserInterfacesExamples {
  @Test("The model of a screen is tested without a screen")
  func model() {
    // example
    let clock = TestScheduler()
    let model = SearchModel(
      on: clock, lookUp: { SignalProducer(value: ["\($0)!"]) }, save: { _ in .empty })
    model.query.value = "la"
    model.query.value = "lake"
    clock.advance(by: .milliseconds(300))
    // model.results.value is ["lake!"]
    // end
    #expect(model.results.value == ["lake!"])
    #expect(model.bookmark.isEnabled.value)
  }
}
