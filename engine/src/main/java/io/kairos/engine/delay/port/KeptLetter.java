package io.kairos.engine.delay.port;

import io.kairos.domain.delay.RouteId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A record whose dead letter had to be truncated, kept whole in the store.
 *
 * @param id equal for a record that is read again
 * @param reason why the record is a dead letter
 * @param headers as {@link io.kairos.domain.delay.HeaderCodec} writes them
 */
@SuppressWarnings("ArrayRecordComponent") // opaque bytes, not copied
public record KeptLetter(
    UUID id,
    RouteId route,
    String reason,
    byte @Nullable [] key,
    byte @Nullable [] value,
    byte[] headers) {}
