package io.kairos.engine.cron.entry;

import org.jspecify.annotations.Nullable;

/**
 * An entry with its fires.
 *
 * @param fires number of fires since the entry was put, without fires that threw
 * @param last the last fire; null for none
 */
public record EntryState(
    EntryDefinition entry, long fires, @Nullable EntryFire last, NextFire next) {}
