// Written by Tools/forms: `zip` of four to ten inputs. The core has one form for all numbers,
// but closures that take its tuples apart by number (`$0.3`) compile only where the compiler sees no
// pack.

extension Signal {
  /// Delivers the values of four signals, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>,
    _ d: Signal<D, Failure>
  ) -> Signal<(Value, B, C, D), Failure> {
    zipping(a, b, c, d)
  }

  /// Delivers the values of five signals, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D, E>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>,
    _ d: Signal<D, Failure>, _ e: Signal<E, Failure>
  ) -> Signal<(Value, B, C, D, E), Failure> {
    zipping(a, b, c, d, e)
  }

  /// Delivers the values of six signals, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D, E, F>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>,
    _ d: Signal<D, Failure>, _ e: Signal<E, Failure>, _ f: Signal<F, Failure>
  ) -> Signal<(Value, B, C, D, E, F), Failure> {
    zipping(a, b, c, d, e, f)
  }

  /// Delivers the values of seven signals, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D, E, F, G>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>,
    _ d: Signal<D, Failure>, _ e: Signal<E, Failure>, _ f: Signal<F, Failure>,
    _ g: Signal<G, Failure>
  ) -> Signal<(Value, B, C, D, E, F, G), Failure> {
    zipping(a, b, c, d, e, f, g)
  }

  /// Delivers the values of eight signals, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D, E, F, G, H>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>,
    _ d: Signal<D, Failure>, _ e: Signal<E, Failure>, _ f: Signal<F, Failure>,
    _ g: Signal<G, Failure>, _ h: Signal<H, Failure>
  ) -> Signal<(Value, B, C, D, E, F, G, H), Failure> {
    zipping(a, b, c, d, e, f, g, h)
  }

  /// Delivers the values of nine signals, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D, E, F, G, H, I>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>,
    _ d: Signal<D, Failure>, _ e: Signal<E, Failure>, _ f: Signal<F, Failure>,
    _ g: Signal<G, Failure>, _ h: Signal<H, Failure>, _ i: Signal<I, Failure>
  ) -> Signal<(Value, B, C, D, E, F, G, H, I), Failure> {
    zipping(a, b, c, d, e, f, g, h, i)
  }

  /// Delivers the values of ten signals, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D, E, F, G, H, I, J>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>,
    _ d: Signal<D, Failure>, _ e: Signal<E, Failure>, _ f: Signal<F, Failure>,
    _ g: Signal<G, Failure>, _ h: Signal<H, Failure>, _ i: Signal<I, Failure>,
    _ j: Signal<J, Failure>
  ) -> Signal<(Value, B, C, D, E, F, G, H, I, J), Failure> {
    zipping(a, b, c, d, e, f, g, h, i, j)
  }
}

extension SignalProducer {
  /// Delivers the values of four producers, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D>(
    _ a: some SignalProducerConvertible<Value, Failure>,
    _ b: some SignalProducerConvertible<B, Failure>,
    _ c: some SignalProducerConvertible<C, Failure>, _ d: some SignalProducerConvertible<D, Failure>
  ) -> SignalProducer<(Value, B, C, D), Failure> {
    zipping(a.producer, b.producer, c.producer, d.producer)
  }

  /// Delivers the values of five producers, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D, E>(
    _ a: some SignalProducerConvertible<Value, Failure>,
    _ b: some SignalProducerConvertible<B, Failure>,
    _ c: some SignalProducerConvertible<C, Failure>,
    _ d: some SignalProducerConvertible<D, Failure>, _ e: some SignalProducerConvertible<E, Failure>
  ) -> SignalProducer<(Value, B, C, D, E), Failure> {
    zipping(a.producer, b.producer, c.producer, d.producer, e.producer)
  }

  /// Delivers the values of six producers, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D, E, F>(
    _ a: some SignalProducerConvertible<Value, Failure>,
    _ b: some SignalProducerConvertible<B, Failure>,
    _ c: some SignalProducerConvertible<C, Failure>,
    _ d: some SignalProducerConvertible<D, Failure>,
    _ e: some SignalProducerConvertible<E, Failure>, _ f: some SignalProducerConvertible<F, Failure>
  ) -> SignalProducer<(Value, B, C, D, E, F), Failure> {
    zipping(a.producer, b.producer, c.producer, d.producer, e.producer, f.producer)
  }

  /// Delivers the values of seven producers, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D, E, F, G>(
    _ a: some SignalProducerConvertible<Value, Failure>,
    _ b: some SignalProducerConvertible<B, Failure>,
    _ c: some SignalProducerConvertible<C, Failure>,
    _ d: some SignalProducerConvertible<D, Failure>,
    _ e: some SignalProducerConvertible<E, Failure>,
    _ f: some SignalProducerConvertible<F, Failure>, _ g: some SignalProducerConvertible<G, Failure>
  ) -> SignalProducer<(Value, B, C, D, E, F, G), Failure> {
    zipping(a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer)
  }

  /// Delivers the values of eight producers, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D, E, F, G, H>(
    _ a: some SignalProducerConvertible<Value, Failure>,
    _ b: some SignalProducerConvertible<B, Failure>,
    _ c: some SignalProducerConvertible<C, Failure>,
    _ d: some SignalProducerConvertible<D, Failure>,
    _ e: some SignalProducerConvertible<E, Failure>,
    _ f: some SignalProducerConvertible<F, Failure>,
    _ g: some SignalProducerConvertible<G, Failure>, _ h: some SignalProducerConvertible<H, Failure>
  ) -> SignalProducer<(Value, B, C, D, E, F, G, H), Failure> {
    zipping(
      a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer, h.producer
    )
  }

  /// Delivers the values of nine producers, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D, E, F, G, H, I>(
    _ a: some SignalProducerConvertible<Value, Failure>,
    _ b: some SignalProducerConvertible<B, Failure>,
    _ c: some SignalProducerConvertible<C, Failure>,
    _ d: some SignalProducerConvertible<D, Failure>,
    _ e: some SignalProducerConvertible<E, Failure>,
    _ f: some SignalProducerConvertible<F, Failure>,
    _ g: some SignalProducerConvertible<G, Failure>,
    _ h: some SignalProducerConvertible<H, Failure>, _ i: some SignalProducerConvertible<I, Failure>
  ) -> SignalProducer<(Value, B, C, D, E, F, G, H, I), Failure> {
    zipping(
      a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer,
      h.producer, i.producer)
  }

  /// Delivers the values of ten producers, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D, E, F, G, H, I, J>(
    _ a: some SignalProducerConvertible<Value, Failure>,
    _ b: some SignalProducerConvertible<B, Failure>,
    _ c: some SignalProducerConvertible<C, Failure>,
    _ d: some SignalProducerConvertible<D, Failure>,
    _ e: some SignalProducerConvertible<E, Failure>,
    _ f: some SignalProducerConvertible<F, Failure>,
    _ g: some SignalProducerConvertible<G, Failure>,
    _ h: some SignalProducerConvertible<H, Failure>,
    _ i: some SignalProducerConvertible<I, Failure>, _ j: some SignalProducerConvertible<J, Failure>
  ) -> SignalProducer<(Value, B, C, D, E, F, G, H, I, J), Failure> {
    zipping(
      a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer,
      h.producer, i.producer, j.producer)
  }
}

extension PropertyProtocol {
  /// Returns a property of the values of four properties, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D>(
    _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
    _ d: some PropertyProtocol<D>
  ) -> Property<(Value, B, C, D)> {
    Property<(Value, B, C, D)>(
      replaying: SignalProducer<Value, Never>.zipping(
        a.producer, b.producer, c.producer, d.producer))
  }

  /// Returns a property of the values of five properties, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D, E>(
    _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
    _ d: some PropertyProtocol<D>, _ e: some PropertyProtocol<E>
  ) -> Property<(Value, B, C, D, E)> {
    Property<(Value, B, C, D, E)>(
      replaying: SignalProducer<Value, Never>.zipping(
        a.producer, b.producer, c.producer, d.producer, e.producer))
  }

  /// Returns a property of the values of six properties, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D, E, F>(
    _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
    _ d: some PropertyProtocol<D>, _ e: some PropertyProtocol<E>, _ f: some PropertyProtocol<F>
  ) -> Property<(Value, B, C, D, E, F)> {
    Property<(Value, B, C, D, E, F)>(
      replaying: SignalProducer<Value, Never>.zipping(
        a.producer, b.producer, c.producer, d.producer, e.producer, f.producer))
  }

  /// Returns a property of the values of seven properties, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D, E, F, G>(
    _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
    _ d: some PropertyProtocol<D>, _ e: some PropertyProtocol<E>, _ f: some PropertyProtocol<F>,
    _ g: some PropertyProtocol<G>
  ) -> Property<(Value, B, C, D, E, F, G)> {
    Property<(Value, B, C, D, E, F, G)>(
      replaying: SignalProducer<Value, Never>.zipping(
        a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer))
  }

  /// Returns a property of the values of eight properties, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D, E, F, G, H>(
    _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
    _ d: some PropertyProtocol<D>, _ e: some PropertyProtocol<E>, _ f: some PropertyProtocol<F>,
    _ g: some PropertyProtocol<G>, _ h: some PropertyProtocol<H>
  ) -> Property<(Value, B, C, D, E, F, G, H)> {
    Property<(Value, B, C, D, E, F, G, H)>(
      replaying: SignalProducer<Value, Never>.zipping(
        a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer,
        h.producer))
  }

  /// Returns a property of the values of nine properties, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D, E, F, G, H, I>(
    _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
    _ d: some PropertyProtocol<D>, _ e: some PropertyProtocol<E>, _ f: some PropertyProtocol<F>,
    _ g: some PropertyProtocol<G>, _ h: some PropertyProtocol<H>, _ i: some PropertyProtocol<I>
  ) -> Property<(Value, B, C, D, E, F, G, H, I)> {
    Property<(Value, B, C, D, E, F, G, H, I)>(
      replaying: SignalProducer<Value, Never>.zipping(
        a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer,
        h.producer, i.producer))
  }

  /// Returns a property of the values of ten properties, joined by index. See `Signal.zip(_:_:)`.
  public static func zip<B, C, D, E, F, G, H, I, J>(
    _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
    _ d: some PropertyProtocol<D>, _ e: some PropertyProtocol<E>, _ f: some PropertyProtocol<F>,
    _ g: some PropertyProtocol<G>, _ h: some PropertyProtocol<H>, _ i: some PropertyProtocol<I>,
    _ j: some PropertyProtocol<J>
  ) -> Property<(Value, B, C, D, E, F, G, H, I, J)> {
    Property<(Value, B, C, D, E, F, G, H, I, J)>(
      replaying: SignalProducer<Value, Never>.zipping(
        a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer,
        h.producer, i.producer, j.producer))
  }
}
