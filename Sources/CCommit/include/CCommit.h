/* The commit that a program was built from. A target of its own, so that a new commit compiles little
   again. */
#ifndef CCOMMIT_H
#define CCOMMIT_H

/* The short name of the commit, with a plus sign if the sources differ from it; empty if the build was
   not told. */
const char *ccommit_name(void);

#endif
