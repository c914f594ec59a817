#pragma once
// The sidecar `<trace>-live`: everything recorded that is not in the trace yet. It is mapped into
// the program and survives however the program dies; a clean close removes it.
//
//     0         vv_sidecar, the header
//     4096      vv_ringless, 64 times
//     16384     the regions (vv_region), one after the other, up to `extent`
//
// Only the drain thread extends it: it reserves the space (on a full disk, a sparse file would kill
// the program with SIGBUS), writes the region's header, and then increases `extent` (release).
#include "varve_ring.h"

/// "varvlive", little-endian.
#define VV_SIDECAR_MAGIC 0x6576696c76726176ull
#define VV_SIDECAR_VERSION 1
#define VV_SIDECAR_RINGLESS_OFFSET 4096
/// The number of threads without a ring whose losses are counted separately; the first of a trace.
#define VV_SIDECAR_RINGLESS 64
#define VV_SIDECAR_HEADER_BYTES 16384
/// The byte that is locked while the process records, through a separate open file description.
#define VV_SIDECAR_LOCK_BYTE 84
/// The byte that is locked while commands for the process are written or taken.
#define VV_SIDECAR_TURN_BYTE 85

typedef enum vv_crash_state {
  vv_crash_none = 0,
  vv_crash_being_written = 1,
  vv_crash_struck = 2,    // the mark is complete
  vv_crash_survived = 3,  // the mark is complete, but the program has continued
} vv_crash_state;

/// The crash mark: written on a signal that may end the program.
typedef struct vv_crash {
  uint64_t state;            //  0  bits 0-7: vv_crash_state; above: the number of earlier marks
  int32_t signal;            //  8
  uint32_t ring_id;          // 12  of the interrupted thread, or 0
  uint64_t thread_id;        // 16  the system's thread id
  uint64_t program_counter;  // 24
  uint64_t address;          // 32  the faulting address, or 0
  uint64_t ticks;            // 40
} vv_crash;                  // 48

/// The maximum number of frames stored of the interrupted stack.
#define VV_CRASH_FRAMES 64

/// The interrupted stack, as far as frame pointers lead. Written after `vv_crash`, since reading a
/// corrupt stack may fault again.
typedef struct vv_crash_stack {
  uint32_t count;                   // 0  written last
  uint32_t reserved;                // 4
  uint64_t frames[VV_CRASH_FRAMES]; // 8  return addresses, innermost first, without program_counter
} vv_crash_stack;                   // 520

/// A thread that lost records before it got a ring.
typedef struct vv_ringless {
  vv_loss loss;        //  0
  uint64_t thread_id;  // 32  the system's thread id
  uint32_t ring_id;    // 40  id of the ring that the thread will get
  uint32_t reserved;   // 44
  char name[16];       // 48  as much of the thread's name as fits
} vv_ringless;         // 64

/// The sidecar's header.
typedef struct vv_sidecar {
  uint64_t magic;          //   0  VV_SIDECAR_MAGIC, written last
  uint32_t version;        //   8  VV_SIDECAR_VERSION
  uint32_t header_bytes;   //  12  where the first region begins
  uint64_t trace_low;      //  16  the id of the trace that the sidecar belongs to
  uint64_t trace_high;     //  24
  uint64_t process_id;     //  32  the process that records
  uint64_t process_start;  //  40  its start time, in a unit of the system
  uint8_t boot_id[16];     //  48  the boot id of the machine
  uint64_t extent;         //  64  the end of the last region
  uint32_t ringless;         //  72  number of threads that needed a vv_ringless; may exceed 64
  uint32_t ringless_offset;  //  76  offset of the first vv_ringless
  uint32_t is_stopped;     //  80  1 if the recording was stopped without completing the file
  uint32_t is_locked;      //  84  1 if the kernel holds a lock on this byte for the process
  uint64_t pid_namespace;  //  88  the pid namespace of process_id; 0 if unknown
  uint64_t seen_ticks;     //  96  when the recorder last looked after the recording; 0 if unknown
  uint64_t padding_a[3];   // 104
  vv_crash crash;          // 128
  uint64_t padding_b[2];   // 176
  uint32_t wait_state;     // 192  1 if another process has waited for this one
  uint32_t wait_status;    // 196  the status that waitpid returned to it
  uint64_t padding_c[7];   // 200
  vv_loss others;          // 256  losses of all further threads without a ring, in one run
  uint64_t padding_d[28];  // 288
  vv_crash_stack stack;    // 512  the stack that the signal interrupted
} vv_sidecar;              // 1032

/// Marks a filled header as valid.
static inline void vv_sidecar_publish(vv_sidecar *sidecar) {
  __atomic_store_n(&sidecar->magic, VV_SIDECAR_MAGIC, __ATOMIC_RELEASE);
}

/// Makes the regions up to `extent` visible to readers.
static inline void vv_sidecar_extend(vv_sidecar *sidecar, uint64_t extent) {
  __atomic_store_n(&sidecar->extent, extent, __ATOMIC_RELEASE);
}

/// Notes that the recorder is alive at a tick.
static inline void vv_sidecar_note_seen(vv_sidecar *sidecar, uint64_t ticks) {
  __atomic_store_n(&sidecar->seen_ticks, ticks, __ATOMIC_RELAXED);
}

/// The losses of all threads without a separate vv_ringless.
static inline vv_loss *vv_sidecar_others(vv_sidecar *sidecar) { return &sidecar->others; }

/// The entry of a thread without a ring; `index` is below VV_SIDECAR_RINGLESS.
static inline vv_ringless *vv_sidecar_ringless(vv_sidecar *sidecar, uint32_t index) {
  return (vv_ringless *)((uint8_t *)sidecar + VV_SIDECAR_RINGLESS_OFFSET) + index;
}

/// The number of threads that have such an entry.
static inline uint32_t vv_sidecar_ringless_count(const vv_sidecar *sidecar) {
  uint32_t count = __atomic_load_n(&sidecar->ringless, __ATOMIC_ACQUIRE);
  return count < VV_SIDECAR_RINGLESS ? count : VV_SIDECAR_RINGLESS;
}
