package io.kairos.bench.push;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.observe.Ledger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The endpoints of a pool: each at a port of its own of this process. Notes what comes when its
 * headers are there, and answers 200 after a while without holding a thread.
 */
final class PushReceiver implements AutoCloseable {
  private final Payload payload;
  private final Ledger ledger;
  private final Duration hold;
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final List<Server> servers = new ArrayList<>();

  private PushReceiver(Payload payload, Ledger ledger, Duration hold) {
    this.payload = payload;
    this.ledger = ledger;
    this.hold = hold;
  }

  /**
   * Listens on so many free ports.
   *
   * @param hold from a request to its answer
   */
  static PushReceiver start(int endpoints, Payload payload, Ledger ledger, Duration hold) {
    PushReceiver receiver = new PushReceiver(payload, ledger, hold);
    boolean complete = false;
    try {
      for (int i = 0; i < endpoints; i++) {
        receiver.servers.add(receiver.listen());
      }
      complete = true;
      return receiver;
    } finally {
      if (!complete) {
        receiver.close();
      }
    }
  }

  private Server listen() {
    Server server =
        Server.builder()
            .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .requestTimeout(Duration.ZERO)
            .serviceUnder("/", this::serve)
            .build();
    server.start().join();
    return server;
  }

  private HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    long atMicros = WallClock.micros();
    int now = underWay.incrementAndGet();
    most.accumulateAndGet(now, Math::max);
    var _ = context.log().whenComplete().thenAccept(_ -> underWay.decrementAndGet());
    return HttpResponse.of(
        request
            .aggregate()
            .thenApply(whole -> {
              note(whole, atMicros);
              HttpResponse done = HttpResponse.of(HttpStatus.OK);
              return hold.isZero() ? done : HttpResponse.delayed(done, hold);
            }));
  }

  private void note(AggregatedHttpRequest request, long atMicros) {
    byte[] body = request.content().array();
    if (payload.isOurs(body)) {
      ledger.arrived(
          Payload.sequence(body), Payload.dueMicros(body), atMicros, payload.isIntact(body));
    }
  }

  /** Where the endpoints are. */
  String[] urls() {
    return servers.stream()
        .map(server -> "http://127.0.0.1:" + server.activeLocalPort())
        .toArray(String[]::new);
  }

  /** The most requests that were under way at once. */
  int most() {
    return most.get();
  }

  /** From now on this endpoint takes nothing, and what is under way at it is cut. */
  void lose(int endpoint) {
    servers.get(endpoint).stop().join();
  }

  @Override
  public void close() {
    servers.forEach(server -> server.stop().join());
  }
}
