package io.kairos.engine.cron.entry;

import org.jspecify.annotations.Nullable;

/**
 * An entry with what has come of it.
 *
 * @param fires how often it has fired since it was put there, without fires that threw
 * @param last the last of them; null for none
 */
public record EntryState(
    EntryDefinition entry, long fires, @Nullable EntryFire last, NextFire next) {}
