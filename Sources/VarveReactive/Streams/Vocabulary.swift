internal import VarveProbe

// What operators say of themselves, under names that they can use without knowing the probe.

/// Why a value goes no further.
typealias Absorption = AbsorptionReason

/// What kind of stream it is.
typealias Traits = StreamTraits
