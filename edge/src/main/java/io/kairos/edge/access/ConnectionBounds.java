package io.kairos.edge.access;

import static java.util.Objects.requireNonNull;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bounds each connection before it has a request: one address may have half of all connections, a
 * connection whose answers are not read is not read either, the end of each body must be clear, and
 * so many calls may be open.
 */
public final class ConnectionBounds {
  private static final long MOST_UNREAD = 4 << 20;
  private static final long LOOKS_EVERY_MILLIS = 50;

  /** Calls of one connection of HTTP/2 at a time; clients hold others back. */
  public static final int MOST_CALLS = 100;

  /** Requests of HTTP/1.1 without an answer; hardly any client sends a second one. */
  private static final int MOST_PIPELINED = 16;

  private final int mostOfOne;
  private final ByteBudget openCalls;
  private final Map<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();

  public ConnectionBounds(HttpConfig config) {
    this.mostOfOne = Math.max(1, config.maxConnections() / 2);
    this.openCalls = new ByteBudget(BytesInFlight.mostCalls(config.maxBytesInFlight()));
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
    connection.addFirst(new OpenCalls(openCalls, address));
    connection.addFirst(new RequestFraming());
    connection.addFirst(new Unread());
  }

  /**
   * Bounds a pipeline of HTTP/1.1: while too many requests have no whole answer its connection is
   * not read, and it ends with its first 429. A refusal costs a caller who reads no answers less
   * than it costs the node.
   */
  public static HttpResponse pipelined(
      HttpService service, ServiceRequestContext context, HttpRequest request) throws Exception {
    Channel channel = context.log().partial().channel();
    if (channel == null || context.sessionProtocol().isMultiplex()) {
      return service.serve(context, request);
    }
    Unread unread = channel.pipeline().get(Unread.class);
    unread.began();
    var _ = context.log().whenComplete().thenRunAsync(unread::ended, channel.eventLoop());
    return service
        .serve(context, request)
        .peekHeaders(headers -> {
          if (headers.status().equals(HttpStatus.TOO_MANY_REQUESTS)) {
            unread.end();
            var _ = context.initiateConnectionShutdown();
          }
        });
  }

  /**
   * Stops reading while answers wait for their reader; HTTP/2 and pipelines have many at once.
   * Armeria stops reading as well, while bodies wait: neither begins again what the other stopped.
   */
  static final class Unread extends ChannelDuplexHandler {
    private @Nullable ChannelHandlerContext own;
    private int pipelined;
    private boolean ends;
    private boolean waits;
    private boolean looks;

    /** True when Armeria wants to read, so that reading begins again after the wait. */
    private boolean goesOn;

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      own = context;
    }

    /** A request has begun, whose answer comes after those of the requests before it. */
    void began() {
      pipelined++;
      waitForRoom();
    }

    /** Reads no more: the connection ends after an answer. */
    void end() {
      ends = true;
      waitForRoom();
    }

    /** An answer is sent. */
    void ended() {
      pipelined--;
      goOn();
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

    private void goOn() {
      if (waits && hasRoom()) {
        waits = false;
        channel().config().setAutoRead(goesOn);
      }
    }

    private void lookAgain() {
      if (waits && !looks) {
        looks = true;
        var _ =
            channel()
                .eventLoop()
                .schedule(
                    () -> {
                      looks = false;
                      goOn();
                      lookAgain();
                    },
                    LOOKS_EVERY_MILLIS,
                    TimeUnit.MILLISECONDS);
      }
    }

    private boolean hasRoom() {
      ChannelOutboundBuffer buffer = channel().unsafe().outboundBuffer();
      return buffer == null // the connection is closed
          || (buffer.totalPendingWriteBytes() <= MOST_UNREAD
              && pipelined <= MOST_PIPELINED
              && !ends);
    }

    private Channel channel() {
      return requireNonNull(own).channel();
    }
  }
}
