#pragma once
// The sidecar `<trace>-live`: what a recorded program has said and the trace does not hold yet. It
// is mapped into the program, so it survives whatever kills the program; closing cleanly removes it.
//
//     0         vv_sidecar, the header
//     4096      vv_ringless, 64 times
//     16384     the first region (vv_region), then the others, each behind the one before,
//               up to `extent`
//
// The drain thread alone makes it grow: it reserves the space (a sparse file would kill the program
// with SIGBUS on a full disk), writes the region's header, then raises `extent` (release).
#include "varve_ring.h"

/// "varvlive", little-endian.
#define VV_SIDECAR_MAGIC 0x6576696c76726176ull
#define VV_SIDECAR_VERSION 1
#define VV_SIDECAR_RINGLESS_OFFSET 4096
/// Threads without a ring that have each its own count of what it loses: the first of a recording.
#define VV_SIDECAR_RINGLESS 64
#define VV_SIDECAR_HEADER_BYTES 16384
/// The byte that is locked for as long as the process records, by an opening of its own.
#define VV_SIDECAR_LOCK_BYTE 84
/// The byte that is locked while orders for the process are left or taken.
#define VV_SIDECAR_TURN_BYTE 85

typedef enum vv_crash_state {
  vv_crash_none = 0,
  vv_crash_being_written = 1,
  vv_crash_struck = 2,    // the mark is complete
  vv_crash_survived = 3,  // and the program has gone on
} vv_crash_state;

/// The mark that a signal leaves which may end the program.
typedef struct vv_crash {
  uint64_t state;            //  0  bits 0-7: vv_crash_state; above them, how many came before
  int32_t signal;            //  8
  uint32_t ring_id;          // 12  of the thread that it struck, or 0
  uint64_t thread_id;        // 16  the system's
  uint64_t program_counter;  // 24
  uint64_t address;          // 32  that the fault is about, or 0
  uint64_t ticks;            // 40
} vv_crash;                  // 48

/// The most frames that are kept of the stack that a signal struck.
#define VV_CRASH_FRAMES 64

/// The stack that the signal struck, for as far as frame pointers lead. Written after `vv_crash`:
/// reading a broken stack may strike again.
typedef struct vv_crash_stack {
  uint32_t count;                   // 0  written last
  uint32_t reserved;                // 4
  uint64_t frames[VV_CRASH_FRAMES]; // 8  return addresses, innermost first, without the place itself
} vv_crash_stack;                   // 520

/// A thread that lost records before there was a ring for it.
typedef struct vv_ringless {
  vv_loss loss;        //  0
  uint64_t thread_id;  // 32  the system's
  uint32_t ring_id;    // 40  of the ring that it gets; its own already
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
  uint64_t process_id;     //  32  the writer: the process with this id that
  uint64_t process_start;  //  40  began at this moment, in the system's own unit, after
  uint8_t boot_id[16];     //  48  this start of the machine
  uint64_t extent;         //  64  where the last region ends
  uint32_t ringless;         //  72  how many threads have a vv_ringless, or more when there are more
  uint32_t ringless_offset;  //  76  where these begin
  uint32_t is_stopped;     //  80  1 when the recording was stopped and the file was not completed
  uint32_t is_locked;      //  84  1 when the kernel holds a lock on this byte for the process
  uint64_t pid_namespace;  //  88  in which process_id counts; 0 when that is not known
  uint64_t padding_a[4];   //  96
  vv_crash crash;          // 128
  uint64_t padding_b[2];   // 176
  uint32_t wait_state;     // 192  1 when another process has waited for this one
  uint32_t wait_status;    // 196  and got this status, as waitpid gives it
  uint64_t padding_c[7];   // 200
  vv_loss others;          // 256  losses of all further threads without a ring, in one run
  uint64_t padding_d[28];  // 288
  vv_crash_stack stack;    // 512  where the signal struck
} vv_sidecar;              // 1032

/// Makes a header that is filled valid.
static inline void vv_sidecar_publish(vv_sidecar *sidecar) {
  __atomic_store_n(&sidecar->magic, VV_SIDECAR_MAGIC, __ATOMIC_RELEASE);
}

/// Lets readers see the regions up to `extent`.
static inline void vv_sidecar_extend(vv_sidecar *sidecar, uint64_t extent) {
  __atomic_store_n(&sidecar->extent, extent, __ATOMIC_RELEASE);
}

/// The losses of threads that have no vv_ringless of their own.
static inline vv_loss *vv_sidecar_others(vv_sidecar *sidecar) { return &sidecar->others; }

/// A thread without a ring; `index` is below VV_SIDECAR_RINGLESS.
static inline vv_ringless *vv_sidecar_ringless(vv_sidecar *sidecar, uint32_t index) {
  return (vv_ringless *)((uint8_t *)sidecar + VV_SIDECAR_RINGLESS_OFFSET) + index;
}

/// How many threads have one.
static inline uint32_t vv_sidecar_ringless_count(const vv_sidecar *sidecar) {
  uint32_t count = __atomic_load_n(&sidecar->ringless, __ATOMIC_ACQUIRE);
  return count < VV_SIDECAR_RINGLESS ? count : VV_SIDECAR_RINGLESS;
}
