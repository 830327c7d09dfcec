package io.kairos.engine.delay.port;

import org.jspecify.annotations.Nullable;

/**
 * A record to publish. Same bytes in, same bytes out.
 *
 * @param partition the partition to write to; the engine chooses it, see {@link
 *     Publisher#partitionFor}
 * @param headers as {@link io.kairos.domain.delay.HeaderCodec} writes them
 */
@SuppressWarnings(
    "ArrayRecordComponent") // opaque bytes, never compared and never copied on the hot path
public record Outgoing(
    String topic, int partition, byte @Nullable [] key, byte @Nullable [] value, byte[] headers) {}
