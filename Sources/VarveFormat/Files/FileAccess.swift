internal import CVarveSystem
internal import VarvePlatform

/// Who may use a file that another one is to replace. The other is open to nobody to whom the first
/// was not, as far as modes and, on Linux, access control lists tell.
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

  /// What the new file is to be made with: nobody may use it before it is known who may. If the other
  /// one is somebody else's, it stays so, and what everybody might do with that, everybody may.
  package var initialMode: UInt16 {
    guard !isOurs, !isMasked else { return 0o600 }
    let common = UInt16(mode & mode >> 3 & mode >> 6 & 0o7)
    return 0o600 | common << 3 | common
  }

  /// Lets those use a new file who might use the other, if that is ours, as far as its mode can say
  /// that: an access control list is not copied.
  ///
  /// - Parameters:
  ///   - descriptor: the new file, which holds nothing yet.
  ///   - path: where it lies. Its folder may have given it a list of its own.
  package func pass(to descriptor: Int32, at path: String) {
    guard isOurs else { return }
    var known = mode & 0o777
    if fchown(descriptor, .max, group) != 0 {
      // Whom its group let in or shut out is not known of another group.
      known &= 0o700 | mode >> 3 & 0o7
    }
    if isMasked || vv_file_has_masked_mode(path) { known &= 0o700 }
    fchmod(descriptor, known)
  }
}
