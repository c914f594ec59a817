#pragma once
// Locks on single bytes of a file, which the kernel drops with whoever holds them, however that ends,
// and which are seen from every pid namespace.
//
// They belong to the open file and not to the process (open file description locks): closing another
// descriptor of the same file leaves them alone. They last while a descriptor of that opening is open
// or memory is mapped from it, in children of a fork, too; so the file is opened once more for a lock
// that is to last, and the child closes that descriptor.
#include <stdint.h>

typedef enum vv_lock_state {
  vv_lock_free = 0,
  vv_lock_held = 1,
  vv_lock_unknown = 2,  // the system, or the file system, has no such locks
} vv_lock_state;

/// Takes the lock of a byte of a file that is open for writing. `vv_lock_held` when somebody else has
/// it, `vv_lock_free` when it was free and is the caller's now.
vv_lock_state vv_lock_take(int file, uint64_t byte);

/// Gives it back.
void vv_lock_drop(int file, uint64_t byte);

/// Whether somebody else holds it.
vv_lock_state vv_lock_look(int file, uint64_t byte);
