internal import VarveProbe

/// State of an operator that several threads change outside any domain. Nothing is sent, and no user
/// code runs, while it is locked.
typealias Guarded = Lock
