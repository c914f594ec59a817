#pragma once
// Where a thread was that a signal struck.
#include <stdint.h>
#include <ucontext.h>

static inline uint64_t struck_program_counter(const void *context) {
  const ucontext_t *at = context;
#if defined(__linux__) && defined(__x86_64__)
  return (uint64_t)at->uc_mcontext.gregs[REG_RIP];
#elif defined(__linux__) && defined(__aarch64__)
  return at->uc_mcontext.pc;
#elif defined(__APPLE__) && defined(__x86_64__)
  return at->uc_mcontext->__ss.__rip;
#elif defined(__APPLE__) && defined(__aarch64__)
  return arm_thread_state64_get_pc(at->uc_mcontext->__ss);
#else
  (void)at;
  return 0;
#endif
}

static inline uintptr_t struck_frame_pointer(const void *context) {
  const ucontext_t *at = context;
#if defined(__linux__) && defined(__x86_64__)
  return (uintptr_t)at->uc_mcontext.gregs[REG_RBP];
#elif defined(__linux__) && defined(__aarch64__)
  return at->uc_mcontext.regs[29];
#elif defined(__APPLE__) && defined(__x86_64__)
  return at->uc_mcontext->__ss.__rbp;
#elif defined(__APPLE__) && defined(__aarch64__)
  return arm_thread_state64_get_fp(at->uc_mcontext->__ss);
#else
  (void)at;
  return 0;
#endif
}

static inline uintptr_t struck_stack_pointer(const void *context) {
  const ucontext_t *at = context;
#if defined(__linux__) && defined(__x86_64__)
  return (uintptr_t)at->uc_mcontext.gregs[REG_RSP];
#elif defined(__linux__) && defined(__aarch64__)
  return at->uc_mcontext.sp;
#elif defined(__APPLE__) && defined(__x86_64__)
  return at->uc_mcontext->__ss.__rsp;
#elif defined(__APPLE__) && defined(__aarch64__)
  return arm_thread_state64_get_sp(at->uc_mcontext->__ss);
#else
  (void)at;
  return UINTPTR_MAX;
#endif
}
