/** Pushes tasks of pools to HTTP endpoints: a built-in worker on ordinary queues. */
@NullMarked
package io.kairos.push;

import org.jspecify.annotations.NullMarked;
