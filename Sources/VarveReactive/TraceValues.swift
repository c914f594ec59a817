// Apps determine how values are recorded, and what custom operators report about them, so these
// types are exported with the streams. The rest of the probe's vocabulary is for recorders.
@_exported public import enum VarveProbe.AbsorptionReason
@_exported public import struct VarveProbe.StreamTraits
@_exported public import enum VarveProbe.TracePayload
@_exported public import protocol VarveProbe.TraceValue
@_exported public import struct VarveProbe.Withheld
