#define _GNU_SOURCE
#include "CPlatform.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>

/* What libdispatch offers to run loops, Foundation's among them, and declares in no public header:
   an eventfd that is readable while the main queue has work, and the call that does that work. */
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

bool cplatform_serve_main_queue(int descriptor) {
    int handle = _dispatch_get_main_queue_handle_4CF();
    struct pollfd entries[] = {
        {.fd = handle, .events = POLLIN},
        {.fd = descriptor, .events = POLLIN},
    };
    eventfd_t count;
    /* Signals interrupt the wait. Without the handle there is nothing to wait for. */
    if (poll(entries, 2, -1) < 0) return false;
    if (entries[0].revents & POLLNVAL) abort();
    if (entries[0].revents) {
        eventfd_read(handle, &count);
        _dispatch_main_queue_callback_4CF(NULL);
    }
    return entries[1].revents != 0;
}

cplatform_processors cplatform_current_processor(void) {
    int processor = sched_getcpu();
    return processor >= 0 && processor < 64 ? UINT64_C(1) << processor : 0;
}

cplatform_processors cplatform_leave_processors(cplatform_processors busy) {
    cpu_set_t all, one;
    if (sched_getaffinity(0, sizeof all, &all) == 0) {
        for (int processor = 0; processor < 64; processor++) {
            if (busy >> processor & 1 || !CPU_ISSET(processor, &all)) continue;
            CPU_ZERO(&one);
            CPU_SET(processor, &one);
            /* The thread has moved when the call returns, and may then go where it might before. */
            if (sched_setaffinity(0, sizeof one, &one) == 0) {
                sched_setaffinity(0, sizeof all, &all);
            }
            break;
        }
    }
    return cplatform_current_processor();
}

int cplatform_rename_to_new(const char *path, const char *name) {
    return renameat2(AT_FDCWD, path, AT_FDCWD, name, RENAME_NOREPLACE);
}
