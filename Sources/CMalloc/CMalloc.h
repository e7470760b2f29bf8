/// Glibc's allocator, which Swift's own module of it leaves out.
#include <malloc.h>
