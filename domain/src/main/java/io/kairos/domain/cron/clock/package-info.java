/** The time that replicas agree upon, made of the readings that ticks carry. */
@NullMarked
package io.kairos.domain.cron.clock;

import org.jspecify.annotations.NullMarked;
