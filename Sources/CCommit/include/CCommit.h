/* The commit from which a program was built. It is a separate target, so that a new commit
   recompiles little. */
#ifndef CCOMMIT_H
#define CCOMMIT_H

/* Returns the short name of the commit, with a plus sign if the sources differ from it, or an empty
   string if the build did not get the name. */
const char *ccommit_name(void);

#endif
