// The platform's C library under one name.
//
// A module that calls the system imports this one internally, so nothing of the C library reaches the
// modules and clients above. A call that a member of the same name hides is spelt `VarvePlatform.write`.

#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#endif
