package io.kairos.edge.access;

import static java.util.Objects.requireNonNull;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SniHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds each connection before it has a request: one address may have half of all connections, a
 * connection whose answers are not read is not read either and ends at last, the end of each body
 * must be clear, and so many calls may be open.
 */
public final class ConnectionBounds {
  private static final long MOST_UNREAD = 4 << 20;
  private static final long LOOKS_EVERY_MILLIS = 50;

  /** Calls of one connection of HTTP/2 at a time; clients hold others back. */
  public static final int MOST_CALLS = 100;

  private final int mostOfOne;
  private final CallerBudget openCalls;
  private final Supplier<ChannelHandler> handshake;
  private final Map<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();

  /**
   * @param handshake makes the handler that watches the handshake of a connection with TLS
   */
  public ConnectionBounds(HttpConfig config, Supplier<ChannelHandler> handshake) {
    this.handshake = handshake;
    this.mostOfOne = Math.max(1, config.maxConnections() / 2);
    this.openCalls = new CallerBudget(BytesInFlight.mostCalls(config.maxBytesInFlight()));
  }

  /** Called for each new connection, on its thread. */
  public void accept(ChannelPipeline connection) {
    Channel channel = connection.channel();
    InetAddress address =
        requireNonNull(((InetSocketAddress) channel.remoteAddress()).getAddress());
    int[] open = {0};
    byAddress.compute(address, (_, had) -> open[0] = had == null ? 1 : had + 1);
    var _ =
        channel
            .closeFuture()
            .addListener(
                _ -> byAddress.computeIfPresent(address, (_, had) -> had == 1 ? null : had - 1));
    if (open[0] > mostOfOne) {
      var _ = channel.close();
      return;
    }
    Unread unread = new Unread();
    UntakenAnswers untaken = new UntakenAnswers();
    OpenCalls calls = new OpenCalls(openCalls, address, unread::end, untaken::follow);
    ChannelHandlerContext tls = connection.context(SniHandler.class);
    if (tls == null) {
      connection.addFirst(calls);
      connection.addFirst(new RequestFraming());
    } else {
      // The handler of TLS takes this one's place, and those behind it read plain bytes.
      connection.addAfter(tls.name(), null, calls);
      connection.addAfter(tls.name(), null, new RequestFraming());
      connection.addAfter(tls.name(), null, handshake.get());
    }
    connection.addFirst(unread);
    connection.addFirst(untaken);
  }

  /**
   * Stops reading while answers wait for their reader; HTTP/2 and pipelines have many at once.
   * Armeria stops reading as well, while bodies wait: neither begins again what the other stopped.
   * Armeria does so while it is given what was read, and this waits until that is over.
   */
  static final class Unread extends ChannelDuplexHandler {
    private @Nullable ChannelHandlerContext own;
    private boolean ends;
    private boolean waits;

    /** True when Armeria wants to read, so that reading begins again after the wait. */
    private boolean goesOn;

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      own = context;
    }

    /** Reads no more: the connection ends after its answers. */
    void end() {
      ends = true;
      waitForRoom();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      waitForRoom();
      context.fireChannelReadComplete();
    }

    /** Also called when somebody begins to read again. */
    @Override
    public void read(ChannelHandlerContext context) {
      if (waits) {
        goesOn |= context.channel().config().isAutoRead();
        context.channel().config().setAutoRead(false);
      } else {
        context.read();
      }
    }

    private void waitForRoom() {
      if (!waits && !hasRoom()) {
        waits = true;
        goesOn = channel().config().isAutoRead();
        channel().config().setAutoRead(false);
        lookAgain();
      }
    }

    private void lookAgain() {
      var _ =
          channel()
              .eventLoop()
              .schedule(
                  () -> {
                    if (hasRoom()) {
                      waits = false;
                      channel().config().setAutoRead(goesOn);
                    } else {
                      lookAgain();
                    }
                  },
                  LOOKS_EVERY_MILLIS,
                  TimeUnit.MILLISECONDS);
    }

    private boolean hasRoom() {
      ChannelOutboundBuffer buffer = channel().unsafe().outboundBuffer();
      return buffer == null // the connection is closed
          || (buffer.totalPendingWriteBytes() <= MOST_UNREAD && !ends);
    }

    private Channel channel() {
      return requireNonNull(own).channel();
    }
  }
}
