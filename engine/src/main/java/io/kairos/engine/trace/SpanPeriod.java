package io.kairos.engine.trace;

/**
 * The period of a span, by the node's clock.
 *
 * @param sinceMicros microseconds since 1970
 * @param untilMicros microseconds since 1970
 */
public record SpanPeriod(long sinceMicros, long untilMicros) {}
