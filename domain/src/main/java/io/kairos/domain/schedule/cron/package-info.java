/** Cron expressions: read, matched and said in English, each by its own classes. */
@NullMarked
package io.kairos.domain.schedule.cron;

import org.jspecify.annotations.NullMarked;
