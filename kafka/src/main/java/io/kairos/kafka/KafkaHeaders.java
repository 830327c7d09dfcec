package io.kairos.kafka;

import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/** Converts headers between Kafka and Kairos; order, repeats, nulls and bytes stay. */
final class KafkaHeaders {
  private KafkaHeaders() {}

  static List<MessageHeader> read(Headers headers) {
    org.apache.kafka.common.header.Header[] theirs = headers.toArray();
    if (theirs.length == 0) {
      return List.of();
    }
    MessageHeader[] ours = new MessageHeader[theirs.length];
    for (int i = 0; i < ours.length; i++) {
      ours[i] = new MessageHeader(theirs[i].key(), theirs[i].value());
    }
    return Arrays.asList(ours);
  }

  /** Null for none, which is what a record without headers is made with. */
  static @Nullable List<org.apache.kafka.common.header.Header> write(byte[] encoded) {
    if (encoded.length == 0) {
      return null;
    }
    List<MessageHeader> ours = HeaderCodec.decode(encoded);
    List<org.apache.kafka.common.header.Header> theirs = new ArrayList<>(ours.size());
    for (MessageHeader header : ours) {
      theirs.add(new RecordHeader(header.name(), header.value()));
    }
    return theirs;
  }
}
