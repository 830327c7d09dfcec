/**
 * What actions want of the outside: kept in the replicated state until the outside has answered, so
 * that neither a crash nor a snapshot loses any of it.
 */
@NullMarked
package io.kairos.domain.cron.outbox;

import org.jspecify.annotations.NullMarked;
