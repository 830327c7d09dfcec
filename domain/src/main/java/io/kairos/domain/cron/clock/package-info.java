/** The time that replicas agree upon (CC-44 to CC-49), made of the readings that ticks carry. */
@NullMarked
package io.kairos.domain.cron.clock;

import org.jspecify.annotations.NullMarked;
