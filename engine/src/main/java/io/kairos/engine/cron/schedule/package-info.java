/**
 * Schedules of the nodes that a replicated cron decides: the replicas know when each is due, and
 * ask a node to decide it then.
 */
@NullMarked
package io.kairos.engine.cron.schedule;

import org.jspecify.annotations.NullMarked;
