/** JMH benchmarks and end-to-end load runs. */
@NullMarked
package io.kairos.bench;

import org.jspecify.annotations.NullMarked;
