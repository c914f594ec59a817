#pragma once
// Where threads are that run the same work for long: a thread of the recorder's looks at times what
// each thread runs, and records the stack of one that still runs what it ran before.
//
// The threads that work do nothing for it. Of a thread that waits in a system call, the kernel tells
// the registers, and its stack is read from outside. Only one that computes is sent a signal: SIGPROF,
// which Dispatch leaves unblocked on its threads, which debuggers pass on, and which neither the program
// nor a profiler must have claimed. So no system call of the program's ends early, unless it begins in
// the moment in between.
#include "varve_thread.h"

/// Samples the threads of this process from now on, whenever a recording asks for stacks. Only while
/// tasks are followed, and only on Linux.
void vv_samples_start(void);

/// Forgets the threads of the parent, after a fork.
void vv_samples_forget(void);

/// Makes the calling thread known to that; to be called when it is given a ring.
void vv_samples_watch(void);
