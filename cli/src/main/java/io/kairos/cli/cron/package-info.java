/** {@code kairos cron}: the tables and replicas of a replicated cron. */
@NullMarked
package io.kairos.cli.cron;

import org.jspecify.annotations.NullMarked;
