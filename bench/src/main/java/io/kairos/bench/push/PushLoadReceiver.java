package io.kairos.bench.push;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.kairos.bench.load.LoadClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The endpoints of a pool, each on its own port of this process. Reports each request with the
 * arrival time of its headers, and answers 200 after a while without holding a thread.
 */
public final class PushLoadReceiver implements AutoCloseable {
  private final Arrivals arrivals;
  private final Duration hold;
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final Server server;

  /** Listener of requests. Called on event loops, several at a time. */
  @FunctionalInterface
  public interface Arrivals {
    /**
     * A request is there.
     *
     * @param atMicros when its headers were
     */
    void arrived(AggregatedHttpRequest request, long atMicros);
  }

  /**
   * Listens on so many free ports.
   *
   * @param hold from a request to its answer
   */
  public PushLoadReceiver(int endpoints, Arrivals arrivals, Duration hold) {
    this.arrivals = arrivals;
    this.hold = hold;
    ServerBuilder builder =
        Server.builder().requestTimeout(Duration.ZERO).serviceUnder("/", this::serve);
    for (int i = 0; i < endpoints; i++) {
      builder.http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }
    server = builder.build();
    server.start().join();
  }

  private HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    long atMicros = LoadClock.micros();
    int now = underWay.incrementAndGet();
    most.accumulateAndGet(now, Math::max);
    var _ = context.log().whenComplete().thenAccept(_ -> underWay.decrementAndGet());
    return HttpResponse.of(
        request
            .aggregate()
            .thenApply(whole -> {
              arrivals.arrived(whole, atMicros);
              HttpResponse done = HttpResponse.of(HttpStatus.OK);
              return hold.isZero() ? done : HttpResponse.delayed(done, hold);
            }));
  }

  /** URLs of the endpoints. */
  public String[] urls() {
    return server.activePorts().keySet().stream()
        .map(address -> "http://127.0.0.1:" + address.getPort())
        .toArray(String[]::new);
  }

  /** The most requests that were under way at once. */
  int most() {
    return most.get();
  }

  @Override
  public void close() {
    server.stop().join();
  }
}
