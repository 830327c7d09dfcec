package io.kairos.edge.access;

import io.kairos.fuzzing.ParserFuzz;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Bytes of connections are passed on or refused, and no buffer is leaked. */
class RequestFramingFuzzTest {
  @TestFactory
  Stream<DynamicTest> every_request_is_passed_on_or_refused() {
    return Stream.of(ParserFuzz.bytes("http1-framing", RequestFramingFuzzTest::connection).test());
  }

  /** Sends the bytes in pieces of 1 to 64 bytes, as their first byte says, and closes. */
  private static void connection(byte[] input) {
    int piece = input.length == 0 ? 1 : 1 + (input[0] & 63);
    EmbeddedChannel channel = new EmbeddedChannel(new RequestFraming());
    List<ByteBuf> sent = new ArrayList<>();
    long passed = 0;
    for (int at = 0; at < input.length && channel.isOpen(); at += piece) {
      ByteBuf buffer = Unpooled.copiedBuffer(input, at, Math.min(piece, input.length - at));
      sent.add(buffer);
      channel.writeInbound(buffer);
    }
    for (Object read = channel.readInbound(); read != null; read = channel.readInbound()) {
      passed += ((ByteBuf) read).readableBytes();
      ((ByteBuf) read).release();
    }
    boolean refused = false;
    for (Object out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      refused = true;
      ((ByteBuf) out).release();
    }
    channel.finishAndReleaseAll();
    if (!refused && passed != input.length) {
      throw new IllegalStateException("passed on are %d bytes".formatted(passed));
    }
    if (sent.stream().anyMatch(buffer -> buffer.refCnt() > 0)) {
      throw new IllegalStateException("a buffer is leaked");
    }
  }
}
