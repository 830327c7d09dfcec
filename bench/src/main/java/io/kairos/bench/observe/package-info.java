/** The observer: reads the output topic, accounts for every message and measures its lateness. */
@NullMarked
package io.kairos.bench.observe;

import org.jspecify.annotations.NullMarked;
