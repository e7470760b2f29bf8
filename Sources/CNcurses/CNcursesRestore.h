#ifndef CNCURSES_RESTORE_H
#define CNCURSES_RESTORE_H

// The terminal as it was found, kept where a signal handler can give it back.

#include <stdbool.h>
#include <stddef.h>

// Keeps the modes of the terminal `fd`; false if it has none.
bool cnc_restore_save_modes(int fd);

// Sets the modes that were kept, unless the terminal is another job's by now.
void cnc_restore_modes(void);

// Writes what a dying process must: out of attributes, keypad and alternate screen, cursor shown,
// then `extra`. Needs terminfo, so it is called once the screen is open.
void cnc_restore_prepare(const char *extra);

// Says whether there is a screen to give back.
void cnc_restore_arm(bool armed);

// Writes all of it to standard output, or gives up: a terminal that has gone must not hold anybody.
void cnc_restore_write(const char *bytes, size_t count);

// The same, but waits as long as a terminal that still lives takes nothing: what ncurses takes for
// sent must not be missing on the screen.
void cnc_restore_write_frame(const char *bytes, size_t count);

#endif
