#ifndef CHEAP_H
#define CHEAP_H

#include <stddef.h>

/// Bytes allocated on the heap. C, because Swift's Glibc does not import malloc.h.
size_t cheap_allocated(void);

#endif
