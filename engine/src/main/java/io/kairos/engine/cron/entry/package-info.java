/**
 * Cron tables that clients edit by requests: entries, their rules and what they do as replicated
 * state, so that every replica has the same.
 */
@NullMarked
package io.kairos.engine.cron.entry;

import org.jspecify.annotations.NullMarked;
