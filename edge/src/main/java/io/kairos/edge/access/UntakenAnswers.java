package io.kairos.edge.access;

import static java.util.Objects.requireNonNull;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends a connection when answers wait and nothing of them is taken for 30 s: no byte leaves, and by
 * HTTP/2 the caller makes no room for one either. The operating system takes several megabytes at a
 * time, so of a longer answer a reader must take some 100 kB a second. Must be the first handler of
 * its connection, on whose thread it runs.
 */
final class UntakenAnswers extends ChannelInboundHandlerAdapter {
  private static final int LOOKS_EVERY_SECONDS = 10;
  private static final int LOOKS = 3;

  /**
   * How much has been taken: stays equal while nothing is.
   *
   * @param piece identifies what the connection sends, zero when it has nothing to send
   * @param waiting bytes that wait, with those of later pieces
   * @param taken bytes of the piece that were sent; else how often the caller has made room
   */
  private record Progress(int piece, long waiting, long taken) {}

  private @Nullable Http2Connection http2;
  private long roomMade;
  private @Nullable Progress last;
  private int looksAlike;
  private @Nullable ScheduledFuture<?> looks;

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    looks =
        context
            .executor()
            .scheduleWithFixedDelay(
                () -> look(context), LOOKS_EVERY_SECONDS, LOOKS_EVERY_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    var _ = requireNonNull(looks).cancel(false);
  }

  /** The connection speaks HTTP/2, where an answer waits for room that its caller makes. */
  void follow(Http2ConnectionHandler handler) {
    http2 = handler.connection();
    http2.addListener(
        new Http2ConnectionAdapter() {
          @Override
          public void onStreamClosed(Http2Stream stream) {
            roomMade++;
          }
        });
    Http2ConnectionDecoder decoder = handler.decoder();
    decoder.frameListener(
        new Http2FrameListenerDecorator(decoder.frameListener()) {
          @Override
          public void onWindowUpdateRead(ChannelHandlerContext context, int stream, int more)
              throws Http2Exception {
            roomMade++;
            super.onWindowUpdateRead(context, stream, more);
          }

          @Override
          public void onSettingsRead(ChannelHandlerContext context, Http2Settings settings)
              throws Http2Exception {
            roomMade++;
            super.onSettingsRead(context, settings);
          }
        });
  }

  private void look(ChannelHandlerContext context) {
    Progress now = progress(context);
    looksAlike = now != null && now.equals(last) ? looksAlike + 1 : 0;
    last = now;
    if (looksAlike == LOOKS) {
      var _ = context.close(); // at once: HTTP/2 would wait for its calls
    }
  }

  /** Null when nothing waits. */
  private @Nullable Progress progress(ChannelHandlerContext context) {
    ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
    Object piece = buffer == null ? null : buffer.current();
    if (buffer != null && piece != null) {
      return new Progress(
          System.identityHashCode(piece),
          buffer.totalPendingWriteBytes(),
          buffer.currentProgress());
    }
    return waitsForRoom() ? new Progress(0, 0, roomMade) : null;
  }

  private boolean waitsForRoom() {
    Http2Connection connection = http2;
    if (connection == null) {
      return false;
    }
    try {
      return connection.forEachActiveStream(
              stream -> !connection.remote().flowController().hasFlowControlled(stream))
          != null;
    } catch (Http2Exception e) {
      throw new IllegalStateException("nothing is changed", e);
    }
  }
}
