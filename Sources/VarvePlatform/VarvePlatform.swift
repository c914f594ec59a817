// The platform's C library under one name.
//
// A module that makes system calls imports this one internally, so nothing of the C library reaches
// the modules and clients above it. A call hidden by a member of the same name is spelled
// `VarvePlatform.write`.

#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#endif
