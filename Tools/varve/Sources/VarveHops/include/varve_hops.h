#pragma once
// Stands in front of Dispatch's functions that put work aside, in a program that this library was
// preloaded into (`varve run --hops`), and lets whoever attaches follow that work: code of the
// program that knows nothing of Varve, Foundation's, and the tasks of Swift concurrency, which run
// on Dispatch.
//
// Nothing about the work changes: it goes to the same queue with the same flags, in the same order,
// and can be waited for and cancelled as before. While nobody has attached, or whoever has does not
// want to follow a piece of work, it is passed on untouched.

#define VARVE_HOPS_VERSION 1

/// What follows work.
typedef struct varve_hop_follower {
  /// Work is being given to something. `queue` is its label; `function` is what will be called, so
  /// that its module can be told, or null for a block. Returns what the work is to carry, or null to leave it alone.
  void *(*scheduled)(const char *queue, const void *function);
  /// Runs `work(context)` as the work that carries `hop`, which is used up by that.
  void (*run)(void *hop, void (*work)(void *), void *context);
  /// Runs `work(context)` as work that carries `hop`, which will be run again: a handler.
  void (*run_again)(void *hop, void (*work)(void *), void *context);
  /// The work will never run (again).
  void (*forget)(void *hop);
} varve_hop_follower;

/// Attaches the one that follows. It must stay for the life of the process.
void varve_hops_attach(int version, const varve_hop_follower *follower);
