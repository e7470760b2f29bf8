#ifndef CNCURSES_H
#define CNCURSES_H

// What Swift needs of ncurses, and why it cannot have it directly: curses.h declares the screen's
// state as global variables (stdscr, LINES, COLS), which Swift 6 refuses for their data races, and
// its attributes and accessors as macros that are not imported. So this header includes nothing of
// curses, and each function says which obstacle it is there for. All of them belong to the thread
// that called cnc_open.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Looks of a cell; A_BOLD and its like are macros with a cast, which are not imported.
enum {
    CNC_BOLD = 1,
    CNC_DIM = 2,
    CNC_ITALIC = 4,
    CNC_UNDERLINE = 8,
    CNC_REVERSE = 16,
};

// What became of cnc_open.
enum {
    CNC_OPENED = 0,
    CNC_UNKNOWN_TERMINAL = 1,
    CNC_NO_CURSOR_ADDRESSING = 2,
    CNC_FAILED = 3,
};

// Says as cnc_open would whether it can draw on terminals of the type, and touches nothing. Here
// because setupterm's macros and global variables do not import.
int cnc_check(const char *terminal_type);

// Opens the screen on standard input and output: alternate screen, raw keys, no echo, bracketed
// paste. Here because newterm takes FILE variables (stdin, stdout are globals), because the
// terminal's modes must be kept where the handler of traps can reach them, and because newterm
// takes over signals that belong to the program.
int cnc_open(const char *terminal_type);

// Leaves the screen and puts the terminal's modes back as they were found; cnc_resume takes it
// again. Here because ncurses restores what it believes to be the modes, and this the saved ones.
void cnc_suspend(void);

// Puts the terminal's modes back while another thread is stuck in writing to it: waits for nothing.
void cnc_abandon(void);

// Takes the terminal again after cnc_suspend, keeping the modes found now for the next time.
void cnc_resume(void);

// Has the terminal report the mouse, or no longer, and returns whether it does: not where its type
// lacks kmous. ncurses is not told, because it only draws; cnc_suspend and every signal that ends
// the process turn it off. Here because tigetstr is of term.h, which makes macros of all names.
bool cnc_mouse(bool is_on);

// Whether the terminal's type has Ms: it takes text for the clipboard. Here for tigetstr.
bool cnc_has_clipboard(void);

// Sends bytes between two frames, whatever signals arrive. Here because the handler of traps has to
// do the same.
void cnc_send(const uint8_t *bytes, size_t count);

// Reads the size of the terminal and fits the screen to it. Here for struct winsize, LINES and
// COLS.
void cnc_resize(int *columns, int *rows);

// Makes the next cnc_flush draw everything anew. Here for curscr, a global.
void cnc_redraw(void);

// Blanks a row. Here because stdscr is a global, as in the next three.
void cnc_erase_row(int row);

// Draws printable ASCII, one column each.
void cnc_put_ascii(
    int row, int column, const uint8_t *bytes, int count, uint32_t attributes, int pair);

// Draws one glyph: a base of `columns` columns and its marks. Where the C library, by whose tables
// ncurses counts, is of another opinion about its width than the caller, a replacement of that
// width is drawn, so that the rest of the row stays in its place. Here because cchar_t is opaque to
// Swift.
void cnc_put_glyph(
    int row, int column, int columns, const uint32_t *points, int count, uint32_t attributes,
    int pair);

// Places the cursor, unless `row` is below 0, and shows or hides it.
void cnc_cursor(int row, int column, bool is_visible);

// Sends what has changed: one doupdate.
void cnc_flush(void);

// The number of colours to be had, 0 if none; `has_default` says whether pairs may use -1, the
// terminal's own. Here for COLORS, a global.
int cnc_start_color(bool *has_default, int *pairs);

// Defines a pair of colours.
void cnc_define_pair(int pair, int foreground, int background);

// Rings or flashes.
void cnc_bell(void);

// From now on every signal that would end the process, traps and crashes included, gives an open
// screen back before it does. Signals that somebody handles or ignores already are left to them,
// but for traps (SIGSEGV, SIGILL, SIGABRT, SIGTRAP, SIGBUS, SIGFPE), whose handler comes second. In
// C because no Swift may run in a signal handler.
void cnc_install_signal_handlers(void);

#ifdef __cplusplus
}
#endif

#endif
