package io.kairos.edge.access;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UntakenAnswersTest {
  private static final String SETTINGS_WITHOUT_WINDOW = "000006040000000000" + "000400000000";
  private static final String GET_ROOT = "000003010500000001" + "828684";
  private static final String ONE_BYTE_OF_WINDOW = "000004080000000001" + "00000001";
  private static final String PING = "000008060000000000" + "0000000000000000";

  private final UntakenAnswers bound = new UntakenAnswers();

  /** A connection whose caller reads no byte more than it is asked to. */
  private static final class Socket extends EmbeddedChannel {
    private int reads;

    Socket(UntakenAnswers bound) {
      super(bound);
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer buffer) {
      if (reads > 0 && buffer.current() != null) {
        buffer.progress(reads);
        reads = 0;
      }
    }

    void read(int bytes) {
      reads = bytes;
      flush();
    }
  }

  private static void passTenSeconds(EmbeddedChannel connection) {
    connection.advanceTimeBy(10, TimeUnit.SECONDS);
    connection.runScheduledPendingTasks();
  }

  @Test
  void a_connection_ends_when_nothing_of_an_answer_is_taken() {
    Socket socket = new Socket(bound);
    var _ = socket.writeAndFlush(Unpooled.wrappedBuffer(new byte[1_000]));
    for (int i = 0; i < 3; i++) {
      passTenSeconds(socket);
      assertThat(socket.isOpen()).isTrue();
    }

    passTenSeconds(socket);

    assertThat(socket.isOpen()).isFalse();
  }

  @Test
  void a_slow_reader_is_left_alone_and_so_is_a_connection_without_answers() {
    Socket idle = new Socket(bound);
    Socket slow = new Socket(new UntakenAnswers());
    var _ = slow.writeAndFlush(Unpooled.wrappedBuffer(new byte[1_000]));
    for (int i = 0; i < 20; i++) {
      passTenSeconds(idle);
      passTenSeconds(slow);
      if (i % 3 == 0) {
        slow.read(1);
      }
    }

    assertThat(idle.isOpen()).isTrue();
    assertThat(slow.isOpen()).isTrue();
  }

  @Test
  void calls_of_http_2_whose_caller_makes_no_room_end_their_connection() {
    EmbeddedChannel connection = withAnswerThatWaits();
    for (int i = 0; i < 3; i++) {
      connection.writeInbound(frame(PING));
      passTenSeconds(connection);
      assertThat(connection.isOpen()).isTrue();
    }

    passTenSeconds(connection);

    assertThat(connection.isOpen()).isFalse();
  }

  @Test
  void a_caller_of_http_2_that_makes_room_is_left_alone() {
    EmbeddedChannel connection = withAnswerThatWaits();
    for (int i = 0; i < 20; i++) {
      passTenSeconds(connection);
      if (i % 3 == 0) {
        connection.writeInbound(frame(ONE_BYTE_OF_WINDOW));
      }
    }

    assertThat(connection.isOpen()).isTrue();
  }

  private EmbeddedChannel withAnswerThatWaits() {
    Http2ConnectionHandler handler =
        new Http2ConnectionHandlerBuilder()
            .server(true)
            .frameListener(new Http2FrameAdapter())
            .build();
    EmbeddedChannel connection = new EmbeddedChannel(bound, handler);
    bound.follow(handler);
    connection.writeInbound(
        Unpooled.copiedBuffer("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", US_ASCII),
        frame(SETTINGS_WITHOUT_WINDOW),
        frame(GET_ROOT));
    ChannelHandlerContext context = connection.pipeline().context(handler);
    var _ =
        handler
            .encoder()
            .writeHeaders(
                context,
                1,
                new DefaultHttp2Headers().status("200"),
                0,
                false,
                connection.newPromise());
    var _ =
        handler
            .encoder()
            .writeData(
                context,
                1,
                Unpooled.wrappedBuffer(new byte[1_000]),
                0,
                true,
                connection.newPromise());
    handler.flush(context);
    return connection;
  }

  private static io.netty.buffer.ByteBuf frame(String hex) {
    return Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex));
  }
}
