package io.kairos.engine.delay.port;

import io.kairos.domain.delay.RouteId;

/**
 * A dead letter that was published again, by its place on the dead-letter topic.
 *
 * @param timestampMillis tells it from the letter at the same place of a topic that was created
 *     anew
 */
public record LetterMark(RouteId route, int partition, long offset, long timestampMillis) {}
