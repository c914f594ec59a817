#pragma once
// The template scope that is in force on this thread (VarveReactive.TemplateScope), unretained.

extern _Thread_local void *vv_template_scope;

static inline void *vv_template_scope_current(void) { return vv_template_scope; }
static inline void vv_template_scope_set(void *scope) { vv_template_scope = scope; }
