#pragma once
// Files in memory: growing them without the signals that growing can bring, and mapping rings.
#include <stdbool.h>
#include <stdint.h>

/// Gives the bytes of a file real space on the disk. Returns 0 or the system's error (ENOSPC, EFBIG,
/// EDQUOT); never a signal, neither now nor when the bytes are written through a mapping.
int vv_file_reserve(int file, uint64_t offset, uint64_t bytes);

/// Writes some of the bytes at a place of a file, or to the end of what has no places, a pipe for
/// instance. Returns how many, or -1 with `errno`.
int64_t vv_file_write(int file, uint64_t offset, const void *bytes, uint64_t count);

/// Gives the space of these bytes back to the file system where that can be; they read as zeros.
void vv_file_release(int file, uint64_t offset, uint64_t bytes);

/// Maps a ring's region, and the beginning of its data once more behind its end. Null with `errno`
/// on failure. Writing into the first `ready` bytes faults no more; where the system cannot make the
/// rest ready later, into none.
void *vv_ring_map(int file, uint64_t offset, uint64_t capacity, uint64_t ready);

/// Makes a ring ready, so that writing there faults no more; its thread may be writing meanwhile.
void vv_ring_make_ready(void *base, uint64_t capacity);

/// Bytes of address space that a mapped ring takes.
uint64_t vv_ring_span(uint64_t capacity);

/// Takes a ring out of memory.
void vv_ring_unmap(void *base, uint64_t capacity);

/// Puts private memory in the place of the file.
void vv_ring_detach(void *base, uint64_t capacity);

/// Maps the sidecar's header at an address that is the same for all recordings of the process and
/// stays readable and writable between them. Null with `errno` on failure.
struct vv_sidecar *vv_sidecar_map(int file);

/// Puts private memory in the place of the sidecar's header.
void vv_sidecar_detach(void);

/// The sidecar's header as it is mapped now: never null once something was recorded.
struct vv_sidecar *vv_sidecar_mapped(void);
