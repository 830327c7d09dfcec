/**
 * Cron tables that clients edit by requests. Entries, their rules and their work are replicated
 * state.
 */
@NullMarked
package io.kairos.engine.cron.entry;

import org.jspecify.annotations.NullMarked;
