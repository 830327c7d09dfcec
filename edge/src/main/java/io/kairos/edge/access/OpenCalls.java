package io.kairos.edge.access;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Stream;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the calls of HTTP/2 that are open, also refused ones: a refusal stays in memory as long as
 * its caller does not let it be sent. A call beyond the bound ends with RST_STREAM, which can
 * always be sent, before anything is made of it. One for each connection, on whose thread it runs.
 */
final class OpenCalls extends ChannelInboundHandlerAdapter {
  private final ByteBudget open;
  private final Object address;
  private @Nullable Http2Connection connection;

  /**
   * @param open the open calls of all connections
   */
  OpenCalls(ByteBudget open, Object address) {
    this.open = open;
    this.address = address;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (connection == null) {
      context.fireChannelRead(message);
      // The first bytes say whether this is HTTP/2.
      Http2ConnectionHandler handler = context.pipeline().get(Http2ConnectionHandler.class);
      if (handler != null) {
        begin(handler.connection());
      }
    } else {
      // Other connections may have left room.
      admit(connection);
      context.fireChannelRead(message);
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
