/**
 * The effects of actions outside of the replicas, kept in the replicated state until they are done,
 * so that neither a crash nor a snapshot loses any of them.
 */
@NullMarked
package io.kairos.domain.cron.outbox;

import org.jspecify.annotations.NullMarked;
