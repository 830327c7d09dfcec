/** The start of a node without a broker, and its memory. */
@NullMarked
package io.kairos.bench.start;

import org.jspecify.annotations.NullMarked;
