package io.kairos.engine.delay;

import io.kairos.domain.delay.Header;
import io.kairos.domain.task.TopicName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message that somebody wants published; checked by the edge that took it.
 *
 * @param topic one that the route may publish to
 * @param dueMicros the earliest instant at which it may be published, microseconds since 1970
 * @param key opaque; null for none
 * @param value opaque
 * @param once by which the same message is known when it comes again while it waits, together with
 *     its due time; null for one of its own
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, not copied
public record NewMessage(
    TopicName topic,
    long dueMicros,
    byte @Nullable [] key,
    byte[] value,
    List<Header> headers,
    @Nullable String once) {}
