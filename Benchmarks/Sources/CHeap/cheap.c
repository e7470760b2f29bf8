#include "cheap.h"

#ifdef __APPLE__
#include <malloc/malloc.h>

size_t cheap_allocated(void) {
    return mstats().bytes_used;
}
#else
#include <malloc.h>

size_t cheap_allocated(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
#endif
