/** Benchmarks of what a node holds in memory, beside it to see its parts. */
@NullMarked
package io.kairos.engine.delay.memory;

import org.jspecify.annotations.NullMarked;
