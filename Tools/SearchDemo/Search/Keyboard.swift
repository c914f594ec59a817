public import Varve

extension Typist {
  /// The keys of a script, each when its time has come.
  public static func keys(
    of script: [Stroke], on scheduler: any TimedScheduler
  ) -> SignalProducer<Key, Never> {
    SignalProducer { observer, lifetime in
      var due = scheduler.now
      for stroke in script {
        due = due + stroke.after
        lifetime += scheduler.schedule(at: due) { observer.send(value: stroke.key) }
      }
      lifetime += scheduler.schedule(at: due) { observer.sendCompleted() }
    }
  }
}
