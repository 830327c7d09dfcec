/**
 * Schedules that a replicated cron decides: the replicas know when each is due, and then ask a node
 * to decide it.
 */
@NullMarked
package io.kairos.engine.cron.schedule;

import org.jspecify.annotations.NullMarked;
