internal import CVarveSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Who may use a file that another one is to replace. The other is open to nobody to whom the first
/// was not.
package struct FileAccess {
  private let mode: mode_t
  private let group: gid_t
  private let isOurs: Bool
  private let isMasked: Bool

  /// Looks at a file; nil when none is there, or what is there is a link, a folder or a device.
  package init?(ofFileAt path: String) {
    var there = stat()
    guard lstat(path, &there) == 0, there.st_mode & S_IFMT == S_IFREG else { return nil }
    mode = there.st_mode
    group = there.st_gid
    isOurs = there.st_uid == geteuid()
    isMasked = vv_file_has_masked_mode(path)
  }

  /// Lets those use a new file who might use the other, as far as its mode can say that: an access
  /// control list is not copied. What is somebody else's says nothing of who may use what is ours.
  ///
  /// - Parameters:
  ///   - descriptor: the new file, which holds nothing yet.
  ///   - path: where it lies. Its folder may have given it a list of its own.
  package func pass(to descriptor: Int32, at path: String) {
    let isOfGroup = isOurs && fchown(descriptor, .max, group) == 0
    let known: mode_t =
      if isMasked || vv_file_has_masked_mode(path) { 0o700 } else { isOfGroup ? 0o777 : 0o707 }
    fchmod(descriptor, isOurs ? mode & known : 0o600)
  }
}
