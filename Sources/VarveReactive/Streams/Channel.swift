/// A connection with two ends: what goes in at one comes out at the other, and never back to where it
/// came from.
///
///     let channel = Channel<String, Never>()
///     channel.leading.producer.startWithValues { model.title = $0 }
///     channel.following.producer.startWithValues { field.text = $0 }
///     channel.leading.send(value: model.title)   // goes to the field
///     channel.following.send(value: field.text)  // goes to the model
///
/// The leading end is where the state is: the following end gets its latest value when it is first
/// observed, and not the other way round.
///
/// - *Events*: what is sent in at one end, in order. An end that is sent in at either side ends both.
///   When nobody can send in at one side any more, those who observe the other are interrupted.
/// - *Memory*: the latest value that was sent in at the leading end. A channel lives while somebody
///   holds it, or one of its ends or their inputs.
/// - *Scheduling*: the sender's thread; the latest value comes on the thread that starts.
public final class Channel<Value, Failure: Error> {
  /// One end of a channel.
  public final class Endpoint: Subject {
    /// Sends to the other end.
    public let input: Signal<Value, Failure>.Observer
    /// What comes from the other end: at the following end the latest value first.
    public let producer: SignalProducer<Value, Failure>
    private let arriving: SubjectCore<Value, Failure>

    /// What comes from the other end, from now on.
    public var signal: Signal<Value, Failure> { arriving.signal }

    fileprivate init(
      sending departing: SubjectCore<Value, Failure>,
      receiving arriving: SubjectCore<Value, Failure>
    ) {
      input = Signal<Value, Failure>.ChannelInput(departing, back: arriving)
      producer = arriving.makeProducer()
      self.arriving = arriving
    }
  }

  /// The end that has the state.
  public let leading: Endpoint
  /// The end that follows: it gets the latest value that was sent in at the leading end.
  public let following: Endpoint

  /// Creates a channel.
  public init(file: String = #fileID, line: UInt = #line) {
    let place = SourcePlace(file: file, line: line)
    let toLeading = SubjectCore<Value, Failure>(
      StreamIdentity(
        .source("leadingTerminal", older: "leadingTerminal"), place: place, valueType: Value.self),
      capacity: 0)
    let toFollowing = SubjectCore<Value, Failure>(
      StreamIdentity(
        .source("followingTerminal", older: "followingTerminal"), place: place,
        valueType: Value.self),
      capacity: 1)
    leading = Endpoint(sending: toFollowing, receiving: toLeading)
    following = Endpoint(sending: toLeading, receiving: toFollowing)
  }
}

// Safety: immutable, and what they are made of is made for many threads.
extension Channel: @unchecked Sendable where Value: Sendable {}
extension Channel.Endpoint: @unchecked Sendable where Value: Sendable {}

extension Channel.Endpoint: CustomStringConvertible {
  /// The name of the stream that comes out here.
  public var description: String { arriving.signal.description }
}

extension Signal {
  /// The input of one end of a channel.
  fileprivate final class ChannelInput: Observer, @unchecked Sendable {
    // Safety: the cells are made for many threads.
    private let departing: SubjectCore<Value, Failure>
    private let back: SubjectCore<Value, Failure>

    init(_ departing: SubjectCore<Value, Failure>, back: SubjectCore<Value, Failure>) {
      self.departing = departing
      self.back = back
      super.init(value: nil, failed: nil, completed: nil, interrupted: nil)
    }

    // Nobody can send to the other end any more; it may still send to this one.
    deinit { departing.cell.send(.interrupted) }

    override var fedStream: UInt32 { departing.signal.identity.id }
    override var hasEnough: Bool { departing.cell.root.isOver }

    override func receive(_ value: Value) { departing.cell.send(value) }

    override func terminate(_ termination: Termination<Failure>) {
      departing.cell.send(termination)
      back.cell.send(termination)
    }
  }
}
