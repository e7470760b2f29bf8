#define _XOPEN_SOURCE_EXTENDED 1
#define _DEFAULT_SOURCE 1
#define _DARWIN_C_SOURCE 1
#define _XOPEN_SOURCE 700

#include "CNcurses.h"
#include "CNcursesRestore.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

static struct termios found_modes;
static int terminal = -1;
static volatile sig_atomic_t is_armed;
// A child between fork and exec must not touch its parent's screen.
static pid_t owner;

static char farewell[512];
static size_t farewell_length;

bool cnc_restore_save_modes(int fd) {
    struct termios modes;
    if (tcgetattr(fd, &modes) != 0) return false;
    found_modes = modes;
    terminal = fd;
    return true;
}

void cnc_restore_modes(void) {
    if (terminal < 0 || tcgetpgrp(terminal) != getpgrp()) return;
    while (tcsetattr(terminal, TCSADRAIN, &found_modes) != 0 && errno == EINTR) continue;
}

void cnc_abandon(void) {
    if (terminal >= 0) tcsetattr(terminal, TCSANOW, &found_modes);
}

void cnc_restore_arm(bool armed) {
    owner = getpid();
    is_armed = armed;
}

// Writes all bytes. Waits at most `timeout` milliseconds each time the terminal accepts no output,
// or without a limit if `timeout` is negative.
static void write_all(const char *bytes, size_t count, int timeout) {
    while (count > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, count);
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (written < 0 && errno == EAGAIN) {
            // Another process has made the terminal nonblocking.
            struct pollfd ready = {.fd = STDOUT_FILENO, .events = POLLOUT};
            if (poll(&ready, 1, timeout) == 0) return;
        } else if (written == 0 || errno != EINTR) {
            return;
        }
    }
}

// A working terminal accepts output within a second.
void cnc_restore_write(const char *bytes, size_t count) { write_all(bytes, count, 1000); }

void cnc_restore_write_frame(const char *bytes, size_t count) { write_all(bytes, count, -1); }

static int keep_byte(int byte) {
    if (farewell_length < sizeof farewell) farewell[farewell_length++] = (char)byte;
    return byte;
}

static void keep_capability(const char *name) {
    const char *value = tigetstr(name);
    if (value && value != (char *)-1) tputs(value, 1, keep_byte);
}

void cnc_restore_prepare(const char *extra) {
    farewell_length = 0;
    keep_capability("sgr0");
    keep_capability("op");
    keep_capability("cnorm");
    for (; *extra; extra++) keep_byte(*extra);
    keep_capability("rmcup");
}

static struct sigaction former[NSIG];

static bool is_trap(int number) {
    switch (number) {
    case SIGSEGV: case SIGILL: case SIGABRT: case SIGTRAP: case SIGBUS: case SIGFPE: return true;
    default: return false;
    }
}

// Returns true if the default action of the signal is to ignore it or to stop the process.
static bool is_survived(int number) {
    switch (number) {
    case SIGCHLD: case SIGURG: case SIGWINCH: case SIGCONT:
    case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU: return true;
#ifdef SIGINFO
    case SIGINFO: return true;
#endif
    default: return false;
    }
}

// Makes only calls that are safe in a signal handler.
static void give_back(int number) {
    int saved_errno = errno;
    if (is_armed && owner == getpid()) {
        is_armed = 0;
        sigset_t blocked;
        sigemptyset(&blocked);
        sigaddset(&blocked, SIGTTOU);
        sigprocmask(SIG_BLOCK, &blocked, NULL);
        cnc_restore_write(farewell, farewell_length);
        tcsetattr(terminal, TCSANOW, &found_modes);
    }
    // The former handler runs next: the system's core dump, or Swift's backtrace.
    sigaction(number, &former[number], NULL);
    errno = saved_errno;
    raise(number);
}

void cnc_install_signal_handlers(void) {
    static bool is_installed;
    if (is_installed) return;
    is_installed = true;

    // After a stack overflow, the stack has no room for a handler.
    size_t size = (size_t)SIGSTKSZ < 65536 ? 65536 : (size_t)SIGSTKSZ;
    stack_t current;
    if (sigaltstack(NULL, &current) == 0 && (current.ss_flags & SS_DISABLE)) {
        stack_t stack = {.ss_sp = malloc(size), .ss_size = size, .ss_flags = 0};
        if (stack.ss_sp) sigaltstack(&stack, NULL);
    }
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = give_back;
    action.sa_flags = SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (int i = 1; i < NSIG; i++) {
        // Some numbers are unused, and the C library reserves some.
        if (is_survived(i) || sigaction(i, NULL, &former[i]) != 0) continue;
        bool is_default = former[i].sa_handler == SIG_DFL;
        if (is_default || is_trap(i)) sigaction(i, &action, NULL);
    }
}
