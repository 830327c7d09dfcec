package io.kairos.engine.delay.port;

/**
 * Moves the stored position of an input partition, by compare-and-set.
 *
 * @param expected the position that the store must still have (or none at all yet)
 * @param next the offset to read next once this is stored
 */
public record OffsetMove(TopicId topic, int partition, long expected, long next) {}
