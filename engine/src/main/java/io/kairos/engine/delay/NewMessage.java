package io.kairos.engine.delay;

import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.task.queue.TopicName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message to be published, checked by the edge that received it.
 *
 * @param topic a topic that the route may publish to
 * @param dueMicros the earliest instant at which it may be published, microseconds since 1970
 * @param key opaque; null for none
 * @param value opaque
 * @param once idempotency key: a second message with this key, topic and due time is ignored while
 *     the first one waits; null for none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, not copied
public record NewMessage(
    TopicName topic,
    long dueMicros,
    byte @Nullable [] key,
    byte[] value,
    List<MessageHeader> headers,
    @Nullable String once) {}
