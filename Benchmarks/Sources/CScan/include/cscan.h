#ifndef CSCAN_H
#define CSCAN_H

#include <stddef.h>
#include <stdint.h>

/// Returns the number of texts that contain the letters of a word in order. The `count` texts are
/// contiguous and end at `ends`. It measures a search in bare C on one thread, without ranking.
size_t cscan_count(
    const uint8_t *bytes, const size_t *ends, size_t count, const uint8_t *word, size_t letters);

#endif
