/** Cron expressions: reading, matching and describing them. */
@NullMarked
package io.kairos.domain.schedule.cron;

import org.jspecify.annotations.NullMarked;
