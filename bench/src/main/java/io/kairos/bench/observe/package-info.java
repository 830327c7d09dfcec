/**
 * The observer: reads the output topic, accounts for every message and measures how late it came.
 */
@NullMarked
package io.kairos.bench.observe;

import org.jspecify.annotations.NullMarked;
