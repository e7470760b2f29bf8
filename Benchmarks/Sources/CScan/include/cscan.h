#ifndef CSCAN_H
#define CSCAN_H

#include <stddef.h>
#include <stdint.h>

/// In how many of `count` texts, which lie in a row and end at `ends`, the letters of a word are in
/// order: what a search in bare C takes on one thread, without ranking what it finds.
size_t cscan_count(
    const uint8_t *bytes, const size_t *ends, size_t count, const uint8_t *word, size_t letters);

#endif
