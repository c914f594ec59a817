#pragma once
// The opt-in signal handler: writes into the sidecar's header which signal struck which thread
// where, then gives way to the handler that was there before. Nothing else.
#include "varve_sidecar.h"

/// Installs the handler for the signals that end programs by a fault of their own. A signal that is
/// ignored stays so. Harmless when it is installed.
void vv_crash_watch(void);

/// Puts the earlier handlers back where ours is still the latest; where somebody has installed one
/// above it, ours goes on passing signals down.
void vv_crash_unwatch(void);

/// Takes back a mark of the calling thread's own that it has survived: an earlier handler left by a
/// jump, and the thread is at its work again. One load when there is no mark. For slow paths.
void vv_crash_take_back(void);

/// Takes back a mark of any thread that has survived, or that has ended in a program that lives. For
/// the drain thread: a thread that never comes by a slow path again is found where it sleeps.
void vv_crash_look_after(void);

/// Gives the calling thread a stack for the handler, so that it can run when the thread's own stack
/// has overflowed. Does nothing unless the handler is installed and the thread has none.
void vv_crash_prepare_thread(void);

/// Takes that stack away again.
void vv_crash_leave_thread(void);
