#define _GNU_SOURCE
#include "CPlatform.h"

#include <fcntl.h>
#include <poll.h>
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

int cplatform_rename_to_new(const char *path, const char *name) {
    return renameat2(AT_FDCWD, path, AT_FDCWD, name, RENAME_NOREPLACE);
}
