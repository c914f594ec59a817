internal import VarveProbe

// The part of the probe's vocabulary that operators use, under names that spare them an import.

/// The reason why a value goes no further.
typealias Absorption = AbsorptionReason

/// The kind of a stream.
typealias Traits = StreamTraits

/// State that several threads change outside all serializers. Nothing is sent and no user code runs
/// while it is locked.
typealias Lock = VarveProbe.Lock
