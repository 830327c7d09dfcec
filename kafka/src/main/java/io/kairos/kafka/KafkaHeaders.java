package io.kairos.kafka;

import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.engine.delay.setup.DeadLetters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/** Converts headers between Kafka and Kairos; order, repeats, nulls and bytes stay. */
final class KafkaHeaders {
  private KafkaHeaders() {}

  static List<MessageHeader> read(Header[] theirs) {
    if (theirs.length == 0) {
      return List.of();
    }
    MessageHeader[] ours = new MessageHeader[theirs.length];
    for (int i = 0; i < ours.length; i++) {
      ours[i] = read(theirs[i]);
    }
    return Arrays.asList(ours);
  }

  /** Of headers that are too many or too large to be held: those that a dead letter needs. */
  static List<MessageHeader> readNeeded(Header[] theirs) {
    Map<String, MessageHeader> needed = new LinkedHashMap<>();
    for (Header header : theirs) {
      MessageHeader ours = read(header);
      if (DeadLetters.keeps(ours)) {
        needed.put(ours.name(), ours);
      }
    }
    return List.copyOf(needed.values());
  }

  /** The size of names and values. */
  static long bytes(Header[] theirs) {
    long size = 0;
    for (Header header : theirs) {
      size += read(header).bytes();
    }
    return size;
  }

  private static MessageHeader read(Header header) {
    return new MessageHeader(header.key(), header.value());
  }

  /** Null for none, which is what a record without headers is made with. */
  static @Nullable List<Header> write(byte[] encoded) {
    if (encoded.length == 0) {
      return null;
    }
    List<MessageHeader> ours = HeaderCodec.decode(encoded);
    List<Header> theirs = new ArrayList<>(ours.size());
    for (MessageHeader header : ours) {
      theirs.add(new RecordHeader(header.name(), header.value()));
    }
    return theirs;
  }
}
