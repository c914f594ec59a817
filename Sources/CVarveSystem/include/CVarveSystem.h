#pragma once
#include "varve_clock.h"
#include "varve_delivery.h"
#include "varve_emit.h"
#include "varve_numbers.h"
#include "varve_ring.h"
#include "varve_stack.h"
#include "varve_thread.h"
