/** JMH benchmarks of what is done once per message. */
@NullMarked
package io.kairos.bench.jmh;

import org.jspecify.annotations.NullMarked;
