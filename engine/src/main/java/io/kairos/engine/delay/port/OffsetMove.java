package io.kairos.engine.delay.port;

/**
 * A move of an input partition's stored position, by compare-and-set.
 *
 * @param expected the position that the store must have, unless it has none
 * @param next the offset after the records of the batch
 */
public record OffsetMove(TopicId topic, int partition, long expected, long next) {}
