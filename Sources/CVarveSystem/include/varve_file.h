#pragma once
// The recorder's files: growing them without raising signals, mapping rings, locking single bytes,
// and detecting access that the mode does not show.
#include <stdbool.h>
#include <stdint.h>

/// Allocates disk space for a range of a file. Returns 0 or the system's error (ENOSPC, EFBIG,
/// EDQUOT). Raises no signal, either now or when the range is written through a mapping.
int vv_file_reserve(int file, uint64_t offset, uint64_t bytes);

/// Writes bytes at an offset, or at the end if the file is not seekable, such as a pipe. May write
/// fewer than `count`. Returns the number of bytes written, or -1 with `errno`.
int64_t vv_file_write(int file, uint64_t offset, const void *bytes, uint64_t count);

/// Returns the space of a range to the file system, where supported. The range then reads as zeros.
void vv_file_release(int file, uint64_t offset, uint64_t bytes);

/// Maps a ring's region, and the beginning of its data a second time behind its end. Returns null
/// with `errno` on failure. Writing to the first `ready` bytes causes no page faults; if the system
/// cannot populate the rest later, neither does writing to any other.
void *vv_ring_map(int file, uint64_t offset, uint64_t capacity, uint64_t ready);

/// Populates a ring, so that writing to it causes no page faults. Its thread may be writing to it.
void vv_ring_make_ready(void *base, uint64_t capacity);

/// The size of a mapped ring in the address space, in bytes.
uint64_t vv_ring_span(uint64_t capacity);

/// Unmaps a ring.
void vv_ring_unmap(void *base, uint64_t capacity);

/// Replaces a ring's mapping of the file with private memory.
void vv_ring_detach(void *base, uint64_t capacity);

/// Maps the sidecar's header at an address that is the same for all recordings of the process and
/// stays readable and writable between them. Returns null with `errno` on failure.
struct vv_sidecar *vv_sidecar_map(int file);

/// Replaces the mapping of the sidecar's header with private memory.
void vv_sidecar_detach(void);

/// The sidecar's header as currently mapped; not null once a recording has begun.
struct vv_sidecar *vv_sidecar_mapped(void);

// MARK: Locks on single bytes of a file
//
// The kernel releases them when their holder ends, in whatever way, and they are visible from every
// pid namespace. They belong to the open file description, not to the process: closing another
// descriptor of the same file does not affect them. They last while a descriptor of that
// description is open or memory is mapped from it, even in children of a fork; so the file is
// opened separately for a lasting lock, and the child closes that descriptor.

typedef enum vv_lock_state {
  vv_lock_free = 0,
  vv_lock_held = 1,
  vv_lock_unknown = 2,  // not supported by the system or the file system
} vv_lock_state;

/// Tries to lock a byte of a file that is open for writing. Returns `vv_lock_free` if the caller
/// now holds the lock, and `vv_lock_held` if another open file description holds it.
vv_lock_state vv_lock_take(int file, uint64_t byte);

/// Releases the lock of a byte.
void vv_lock_drop(int file, uint64_t byte);

/// Returns whether another open file description holds the lock of a byte.
vv_lock_state vv_lock_look(int file, uint64_t byte);

/// Whether a file has an access control list that its mode shows only in part: the group bits are
/// then a mask for all entries of the list rather than the group's own permissions (POSIX 1003.1e
/// draft 17, as implemented by Linux). Does not follow links. Not detected for files on an NFSv4
/// server.
bool vv_file_has_masked_mode(const char *path);
