internal import CVarveSystem
internal import VarvePlatform

/// The permissions of a file that is about to be replaced. The new file admits no one whom the old
/// one did not, as far as modes and, on Linux, access control lists tell.
package struct FileAccess {
  private let mode: mode_t
  private let group: gid_t
  private let isOurs: Bool
  private let isMasked: Bool

  /// Reads a file's permissions; nil if there is no file, or if it is a link, a folder, or a
  /// device.
  package init?(ofFileAt path: String) {
    var there = stat()
    guard lstat(path, &there) == 0, there.st_mode & S_IFMT == S_IFREG else { return nil }
    mode = there.st_mode
    group = there.st_gid
    isOurs = there.st_uid == geteuid()
    isMasked = vv_file_has_masked_mode(path)
  }

  /// The mode to create the new file with. If the old file is ours, only its owner gets access
  /// before `pass(to:at:)` is called. Otherwise the mode is final, and grants to everyone what the
  /// old file granted to owner, group, and others alike; nothing if an access control list masks
  /// its mode.
  package var initialMode: UInt16 {
    guard !isOurs, !isMasked else { return 0o600 }
    let common = UInt16(mode & mode >> 3 & mode >> 6 & 0o7)
    return 0o600 | common << 3 | common
  }

  /// Gives a new file the permissions of the old one, if that is ours, as far as its mode can
  /// express them: an access control list is not copied.
  ///
  /// - Parameters:
  ///   - descriptor: The new file, which is still empty.
  ///   - path: The path of the new file, whose folder may have given it an access control list.
  package func pass(to descriptor: Int32, at path: String) {
    guard isOurs else { return }
    var known = mode & 0o777
    if fchown(descriptor, .max, group) != 0 {
      // The old group's permissions say nothing about another group, and its members now count as
      // others.
      known &= 0o700 | mode >> 3 & 0o7
    }
    if isMasked || vv_file_has_masked_mode(path) { known &= 0o700 }
    fchmod(descriptor, known)
  }
}
