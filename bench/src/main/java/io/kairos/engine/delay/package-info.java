/** Benchmarks of parts that the engine does not show to others. */
@NullMarked
package io.kairos.engine.delay;

import org.jspecify.annotations.NullMarked;
