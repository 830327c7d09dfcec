package io.kairos.simulator.delay;

import static io.kairos.simulator.kernel.RuleNames.IDENTITY;

import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.simulator.kernel.RuleViolation;
import java.nio.ByteBuffer;

/**
 * The header by which checkers identify a record. For Kairos it is an ordinary header of an
 * application.
 */
final class RecordTag {
  private static final String NAME = "tag";

  /** Length of the name, the name, length of the value: what precedes the tag when it is first. */
  private static final int AT = 4 + NAME.length() + 4;

  private RecordTag() {}

  static MessageHeader header(long tag) {
    return new MessageHeader(NAME, ByteBuffer.allocate(Long.BYTES).putLong(tag).array());
  }

  /** The tag of a record as it is published or stored. */
  static long of(OutgoingRecord outgoing) {
    return ofEncoded(outgoing.headers());
  }

  static long ofEncoded(byte[] headers) {
    if (headers.length >= AT + Long.BYTES && headers[4] == 't' && headers[6] == 'g') {
      return ByteBuffer.wrap(headers).getLong(AT);
    }
    for (MessageHeader header : HeaderCodec.decode(headers)) {
      byte[] value = header.value();
      if (header.name().equals(NAME) && value != null) {
        return ByteBuffer.wrap(value).getLong();
      }
    }
    throw new RuleViolation(IDENTITY, "a record has lost its application's headers");
  }
}
