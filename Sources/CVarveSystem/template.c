#include "varve_template.h"

_Thread_local void *vv_template_scope;
