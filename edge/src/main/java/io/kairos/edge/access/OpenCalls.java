package io.kairos.edge.access;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the calls of HTTP/2 that are open, also refused ones: a refusal stays in memory as long as
 * its caller does not let it be sent. A call beyond the bound ends with RST_STREAM, which can
 * always be sent, before anything is made of it. {@link Pipelining} bounds the requests of
 * HTTP/1.1. One for each connection, on whose thread it runs.
 */
final class OpenCalls extends ChannelInboundHandlerAdapter {
  /** As many bytes say whether a connection speaks HTTP/2. */
  private static final int BEGINNING = 4;

  private final CallerBudget open;
  private final Object address;
  private final Runnable stopReading;
  private final Consumer<Http2ConnectionHandler> followed;
  private @Nullable Http2Connection connection;
  private boolean isKnown;

  /**
   * @param open the open calls of all connections
   * @param stopReading called when a connection of HTTP/1.1 ends after its answers
   * @param followed called when a connection speaks HTTP/2
   */
  OpenCalls(
      CallerBudget open,
      Object address,
      Runnable stopReading,
      Consumer<Http2ConnectionHandler> followed) {
    this.open = open;
    this.address = address;
    this.stopReading = stopReading;
    this.followed = followed;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (connection != null) {
      // Other connections may have left room.
      admit(connection);
      context.fireChannelRead(message);
      return;
    }
    if (!isKnown && message instanceof ByteBuf bytes && bytes.readableBytes() > BEGINNING) {
      // Hundreds of requests may follow at once.
      context.fireChannelRead(bytes.readRetainedSlice(BEGINNING));
      look(context.pipeline());
    }
    context.fireChannelRead(message);
    look(context.pipeline());
  }

  /** A connection of HTTP/1.1 may become one of HTTP/2 later. */
  private void look(ChannelPipeline pipeline) {
    Http2ConnectionHandler http2 = pipeline.get(Http2ConnectionHandler.class);
    ChannelHandlerContext http1 = pipeline.context(CombinedChannelDuplexHandler.class);
    if (http2 != null && connection == null) {
      isKnown = true;
      followed.accept(http2);
      begin(http2.connection());
    } else if (http1 != null && !isKnown) {
      isKnown = true;
      pipeline.addAfter(http1.name(), null, new Pipelining(stopReading));
    }
  }

  private void begin(Http2Connection begun) {
    connection = begun;
    open.add(address, begun.numActiveStreams());
    begun.addListener(
        new Http2ConnectionAdapter() {
          @Override
          public void onStreamActive(Http2Stream stream) {
            open.add(address, 1);
            admit(begun);
          }

          @Override
          public void onStreamClosed(Http2Stream stream) {
            open.giveBack(address, 1);
            admit(begun);
          }
        });
    admit(begun);
  }

  /** Lets the connection open calls, or keeps it at those that it has. */
  private void admit(Http2Connection begun) {
    begun
        .remote()
        .maxActiveStreams(
            open.admits(address) ? ConnectionBounds.MOST_CALLS : begun.remote().numActiveStreams());
  }
}
