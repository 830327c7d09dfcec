/**
 * A long run through all doors at once, under faults of all kinds, written as a history that a
 * checker judges.
 */
@NullMarked
package io.kairos.bench.mixed;

import org.jspecify.annotations.NullMarked;
