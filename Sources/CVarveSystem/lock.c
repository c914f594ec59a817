#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_lock.h"

#include <errno.h>
#include <fcntl.h>

#if defined(F_OFD_SETLK)
static struct flock of_byte(short type, uint64_t byte) {
  return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)byte, .l_len = 1};
}

vv_lock_state vv_lock_take(int file, uint64_t byte) {
  struct flock lock = of_byte(F_WRLCK, byte);
  int outcome;
  do outcome = fcntl(file, F_OFD_SETLK, &lock);
  while (outcome != 0 && errno == EINTR);
  if (outcome == 0) return vv_lock_free;
  return errno == EAGAIN || errno == EACCES ? vv_lock_held : vv_lock_unknown;
}

void vv_lock_drop(int file, uint64_t byte) {
  struct flock lock = of_byte(F_UNLCK, byte);
  fcntl(file, F_OFD_SETLK, &lock);
}

vv_lock_state vv_lock_look(int file, uint64_t byte) {
  struct flock lock = of_byte(F_WRLCK, byte);
  if (fcntl(file, F_OFD_GETLK, &lock) != 0) return vv_lock_unknown;
  return lock.l_type == F_UNLCK ? vv_lock_free : vv_lock_held;
}
#else
// Apple's systems have no such locks for programs, and no pid namespaces either: the process tells.
vv_lock_state vv_lock_take(int file, uint64_t byte) {
  (void)file, (void)byte;
  return vv_lock_unknown;
}

void vv_lock_drop(int file, uint64_t byte) { (void)file, (void)byte; }

vv_lock_state vv_lock_look(int file, uint64_t byte) {
  (void)file, (void)byte;
  return vv_lock_unknown;
}
#endif
