#include "varve_access.h"

#if defined(__linux__)
#include <sys/xattr.h>

bool vv_file_has_masked_mode(const char *path) {
  return lgetxattr(path, "system.posix_acl_access", 0, 0) > 0;
}

#else

// Elsewhere such a list stands beside the mode and does not change its meaning.
bool vv_file_has_masked_mode(const char *path) {
  (void)path;
  return false;
}

#endif
