#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/xattr.h>
#endif
#include "varve_drain.h"
#include "varve_sidecar.h"

_Static_assert(sizeof(vv_crash) == 48, "documented byte by byte");
_Static_assert(sizeof(vv_ringless) == 64, "documented byte by byte");
_Static_assert(sizeof(vv_crash_stack) == 520, "documented byte by byte");
_Static_assert(sizeof(vv_sidecar) == 1032, "documented byte by byte");
_Static_assert(offsetof(vv_sidecar, crash) == 128, "documented byte by byte");
_Static_assert(offsetof(vv_sidecar, wait_state) == 192, "documented byte by byte");
_Static_assert(offsetof(vv_sidecar, stack) == 512, "documented byte by byte");
_Static_assert(VV_SIDECAR_RINGLESS_OFFSET + VV_SIDECAR_RINGLESS * sizeof(vv_ringless) <=
                   VV_SIDECAR_HEADER_BYTES, "threads without a ring lie before the regions");

// When a file exceeds the size limit, SIGXFSZ kills the program, even inside posix_fallocate,
// unless it is blocked.
static void block_size_signal(sigset_t *before) {
  sigset_t size;
  sigemptyset(&size);
  sigaddset(&size, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &size, before);
}

// Discards a signal that has become pending, so that it is not delivered when unblocked.
static void unblock_size_signal(const sigset_t *before) {
  if (sigismember(before, SIGXFSZ)) return;
  sigset_t pending;
  sigpending(&pending);
  if (sigismember(&pending, SIGXFSZ)) {
    sigset_t size;
    sigemptyset(&size);
    sigaddset(&size, SIGXFSZ);
    int taken;
    sigwait(&size, &taken);
  }
  pthread_sigmask(SIG_SETMASK, before, NULL);
}

#if defined(__APPLE__)
static int reserve(int file, uint64_t offset, uint64_t bytes) {
  struct stat there;
  if (fstat(file, &there) != 0) return errno;
  off_t end = (off_t)(offset + bytes);
  // Space that was reserved before stays reserved, and other regions may follow it.
  if (end <= there.st_size) return 0;
  fstore_t wanted = {F_ALLOCATEALL, F_PEOFPOSMODE, 0, end - there.st_size, 0};
  if (fcntl(file, F_PREALLOCATE, &wanted) != 0) return errno;
  return ftruncate(file, end) == 0 ? 0 : errno;
}
#else
static int reserve(int file, uint64_t offset, uint64_t bytes) {
  int error;
  do error = posix_fallocate(file, (off_t)offset, (off_t)bytes);
  while (error == EINTR);
  return error;
}
#endif

int vv_file_reserve(int file, uint64_t offset, uint64_t bytes) {
  sigset_t before;
  block_size_signal(&before);
  vv_drain_rest();
  int error = reserve(file, offset, bytes);
  vv_drain_work();
  unblock_size_signal(&before);
  return error;
}

int64_t vv_file_write(int file, uint64_t offset, const void *bytes, uint64_t count) {
  vv_drain_rest();
  ssize_t written = pwrite(file, bytes, count, (off_t)offset);
  if (written < 0 && errno == ESPIPE) written = write(file, bytes, count);
  vv_drain_work();
  return written;
}

void vv_file_release(int file, uint64_t offset, uint64_t bytes) {
#if defined(FALLOC_FL_PUNCH_HOLE)
  int error = fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset,
                        (off_t)bytes);
  (void)error;  // On failure the space stays allocated, which does no harm.
#else
  (void)file, (void)offset, (void)bytes;
#endif
}

// The mirror is one page, which holds the longest record.
static uint64_t mirror_bytes(void) { return (uint64_t)sysconf(_SC_PAGESIZE); }

uint64_t vv_ring_span(uint64_t capacity) {
  return VV_RING_HEADER_BYTES + capacity + mirror_bytes();
}

// Makes the system back pages with memory, even while a thread writes to them.
static bool populate(void *at, uint64_t bytes) {
#if defined(MADV_POPULATE_WRITE)
  vv_drain_rest();
  bool is_done = bytes == 0 || madvise(at, bytes, MADV_POPULATE_WRITE) == 0;
  vv_drain_work();
  return is_done;
#else
  (void)at;
  return bytes == 0;
#endif
}

// Writes to each page, since a page that was only read faults again at the first store. It writes
// the value that is already there; `volatile` keeps the compiler from removing that.
static void touch(volatile uint8_t *at, uint64_t bytes) {
  for (uint64_t offset = 0; offset < bytes; offset += 4096) at[offset] = at[offset];
}

void *vv_ring_map(int file, uint64_t offset, uint64_t capacity, uint64_t ready) {
  uint64_t span = vv_ring_span(capacity), region = VV_RING_HEADER_BYTES + capacity;
  uint8_t *base = mmap(NULL, span, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0);
  if (base == MAP_FAILED) return NULL;
  int access = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_FIXED;
  if (mmap(base, region, access, flags, file, (off_t)offset) == MAP_FAILED ||
      mmap(base + region, span - region, access, flags, file,
           (off_t)(offset + VV_RING_HEADER_BYTES)) == MAP_FAILED) {
    int error = errno;
    munmap(base, span);
    errno = error;
    return NULL;
  }
#if defined(__linux__)
  // The child of a fork must not access the mapping.
  madvise(base, span, MADV_DONTFORK);
#endif
  touch(base, 4096);
  if (ready > capacity) ready = capacity;
  // `touch` may be used because no thread writes here yet; later, only the system can populate.
  if (ready == 0 || !populate(base + VV_RING_HEADER_BYTES, ready))
    if (!populate(base, 4096)) touch(base + VV_RING_HEADER_BYTES, span - VV_RING_HEADER_BYTES);
  return base;
}

void vv_ring_make_ready(void *base, uint64_t capacity) {
  populate((uint8_t *)base + VV_RING_HEADER_BYTES, capacity + mirror_bytes());
}

void vv_ring_unmap(void *base, uint64_t capacity) { munmap(base, vv_ring_span(capacity)); }

static int without_file = MAP_PRIVATE | MAP_ANON | MAP_FIXED;

void vv_ring_detach(void *base, uint64_t capacity) {
  mmap(base, vv_ring_span(capacity), PROT_READ | PROT_WRITE, without_file, -1, 0);
}

static void *header_place = NULL;

struct vv_sidecar *vv_sidecar_map(int file) {
  void *place = __atomic_load_n(&header_place, __ATOMIC_ACQUIRE);
  if (!place) {
    place = mmap(NULL, VV_SIDECAR_HEADER_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1,
                 0);
    if (place == MAP_FAILED) return NULL;
    __atomic_store_n(&header_place, place, __ATOMIC_RELEASE);
  }
  void *mapped = mmap(place, VV_SIDECAR_HEADER_BYTES, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_FIXED, file, 0);
  return mapped == MAP_FAILED ? NULL : mapped;
}

void vv_sidecar_detach(void) {
  void *place = __atomic_load_n(&header_place, __ATOMIC_ACQUIRE);
  if (place)
    mmap(place, VV_SIDECAR_HEADER_BYTES, PROT_READ | PROT_WRITE, without_file, -1, 0);
}

struct vv_sidecar *vv_sidecar_mapped(void) {
  return __atomic_load_n(&header_place, __ATOMIC_ACQUIRE);
}

// MARK: Locks

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
// Apple's systems offer programs no such locks. They have no pid namespaces either, so the process
// id is enough.
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

// MARK: Access

#if defined(__linux__)
bool vv_file_has_masked_mode(const char *path) {
  return lgetxattr(path, "system.posix_acl_access", 0, 0) > 0;
}

#else

// On other systems, such a list is separate from the mode and does not change its meaning.
bool vv_file_has_masked_mode(const char *path) {
  (void)path;
  return false;
}

#endif
