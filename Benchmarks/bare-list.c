/* The least that a list in a terminal can cost: the lines of a file, two panes that ncurses draws as
   Sheaf's, no store, no search index, no undo. Tags and ages are made up.

       clang -O2 -o bare-list bare-list.c -lncursesw
       ./bare-list FILE        j k g G move, / filters by a part of the name, q quits */
#define _GNU_SOURCE
#include <locale.h>
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { tags_width = 21, tags_column = 26, age_column = 5, escape = 27 };

static const char *const tags[] = {
    "home", "work", "errand", "garden", "money", "health", "travel", "kids", "books", "code",
    "phone", "email", "urgent", "waiting", "someday", "food", "car", "music", "sport", "study",
};
enum { tag_count = sizeof tags / sizeof *tags };

static char **names;
static int *shown;
static int name_count, shown_count;
static char wanted[64];

static void narrow(void) {
    shown_count = 0;
    for (int i = 0; i < name_count; i++)
        if (!wanted[0] || strstr(names[i], wanted)) shown[shown_count++] = i;
}

static int read_names(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    char *line = NULL;
    size_t room = 0, capacity = 0;
    for (ssize_t length; (length = getline(&line, &room, file)) > 0;) {
        if (line[length - 1] == '\n') line[length - 1] = 0;
        if ((size_t)name_count == capacity) {
            capacity = capacity ? capacity * 2 : 1024;
            names = realloc(names, capacity * sizeof *names);
        }
        names[name_count++] = strdup(line);
    }
    free(line);
    fclose(file);
    shown = malloc((name_count + 1) * sizeof *shown);
    return 1;
}

static void draw_frame(int y, int x, int height, int width, const char *title) {
    mvaddstr(y, x, "┌");
    for (int i = 1; i < width - 1; i++) addstr("─");
    addstr("┐");
    for (int i = 1; i < height - 1; i++) {
        mvaddstr(y + i, x, "│");
        mvaddstr(y + i, x + width - 1, "│");
    }
    mvaddstr(y + height - 1, x, "└");
    for (int i = 1; i < width - 1; i++) addstr("─");
    addstr("┘");
    mvprintw(y, x + 1, " %s ", title);
}

static void draw_row(int y, int x, int width, int row, int is_selected) {
    char item_tags[64] = "", age[8] = "";
    const char *name = "", *mark = "   ";
    if (row < shown_count) {
        int id = shown[row];
        name = names[id];
        mark = id % 5 ? " ○ " : " ✓ ";
        snprintf(item_tags, sizeof item_tags, id % 3 ? "#%s" : "#%s #%s", tags[id % tag_count],
                 tags[id / 7 % tag_count]);
        snprintf(age, sizeof age, "%dd", id % 300);
    }
    int name_width = width - 4 - tags_column - age_column;
    if (is_selected) attron(A_REVERSE);
    mvaddstr(y, x, mark);
    printw("%-*.*s ", name_width, name_width, name);
    if (!is_selected) attron(COLOR_PAIR(1));
    printw("%-*.*s", tags_column, tags_column, item_tags);
    if (!is_selected) attroff(COLOR_PAIR(1));
    printw("%*.*s", age_column, age_column, age);
    if (is_selected) attroff(A_REVERSE);
}

static void draw(int top, int selected, int height, int is_typing) {
    mvprintw(0, 0, " bare C%*s%d of %d", COLS - 30, "", shown_count, name_count);
    clrtoeol();
    draw_frame(1, 0, height + 2, tags_width, "Tags");
    draw_frame(1, tags_width, height + 2, COLS - tags_width, "Items");
    for (int i = 0; i < tag_count && i < height; i++)
        mvprintw(2 + i, 2, "%-10s%7d", tags[i], name_count / tag_count + i);
    for (int y = 0; y < height; y++)
        draw_row(2 + y, tags_width + 1, COLS - tags_width - 3, top + y, top + y == selected);
    mvprintw(LINES - 1, 0, "%d/%d  %s%s", selected + 1, shown_count, is_typing ? "/" : "", wanted);
    clrtoeol();
    refresh();
}

/* Whether the line is still open. */
static int type(int key) {
    size_t length = strlen(wanted);
    int is_open = key != escape && key != '\r' && key != '\n';
    if (key == escape) wanted[0] = 0;
    else if ((key == 127 || key == KEY_BACKSPACE) && length) wanted[length - 1] = 0;
    else if (key >= 32 && key < 127 && length + 1 < sizeof wanted) {
        wanted[length] = key;
        wanted[length + 1] = 0;
    }
    narrow();
    return is_open;
}

int main(int argc, char **argv) {
    setlocale(LC_ALL, "");
    if (argc != 2 || !read_names(argv[1])) {
        fprintf(stderr, "usage: bare-list FILE\n");
        return 64;
    }
    narrow();
    initscr();
    start_color();
    use_default_colors();
    init_pair(1, COLOR_CYAN, -1);
    raw();
    noecho();
    keypad(stdscr, TRUE);
    curs_set(0);
    set_escdelay(25);
    int selected = 0, top = 0, is_typing = 0;
    for (;;) {
        int height = LINES - 4;
        if (selected >= shown_count) selected = shown_count ? shown_count - 1 : 0;
        if (selected < top) top = selected;
        if (selected >= top + height) top = selected - height + 1;
        draw(top, selected, height, is_typing);
        int key = getch();
        if (is_typing) is_typing = type(key);
        else if (key == 'j') selected++;
        else if (key == 'k') selected -= selected > 0;
        else if (key == 'G') selected = shown_count - 1;
        else if (key == 'g') selected = 0;
        else if (key == '/') is_typing = 1, wanted[0] = 0, narrow();
        else if (key == 'q' || key == ERR) break;
    }
    endwin();
    return 0;
}
