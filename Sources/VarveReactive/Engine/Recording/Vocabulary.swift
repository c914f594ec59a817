internal import VarveProbe

// The vocabulary of the probe that operators use: under these names they need not know it.

/// Why a value goes no further.
typealias Absorption = AbsorptionReason

/// What kind of stream it is.
typealias Traits = StreamTraits

/// State that several threads change outside all serializers. Nothing is sent, and no user code runs,
/// while it is locked.
typealias Lock = VarveProbe.Lock
