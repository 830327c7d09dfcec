/** Costs of a run: processor time, write-ahead log, table size, vacuums, collection pauses. */
@NullMarked
package io.kairos.bench.measure;

import org.jspecify.annotations.NullMarked;
