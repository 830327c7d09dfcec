/** Time rules against the oracle, in every zone. */
@NullMarked
package io.kairos.bench.calendar;

import org.jspecify.annotations.NullMarked;
