/** Elapsed time. Wall-clock time is {@link java.time.InstantSource}. */
@NullMarked
package io.kairos.engine.time;

import org.jspecify.annotations.NullMarked;
