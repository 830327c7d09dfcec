package io.kairos.push;

import io.kairos.api.push.SigningSecret;
import io.kairos.api.tls.TlsMaterial;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.engine.pool.CompletionTokens;
import io.kairos.engine.pool.port.StoredPool;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.TaskEdge;
import io.kairos.engine.task.edge.WorkRequest;
import io.kairos.push.HeldTask.End;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The worker of one pool: asks for its tasks like any worker, sends each, and extends their leases.
 * {@link #ask} and {@link #tend} are called by one loop and never block; the other work happens on
 * event loops and on the engine's threads.
 */
final class PoolWorker {
  private static final int MOST_AT_ONCE = 1_000;

  private final String name;
  private final PushPorts ports;
  private final CompletionTokens tokens;
  private final Runnable wake;
  private final AtomicLong bytes;
  private final PoolRotation rotation;
  private final PushAttempt.Tools tools;
  private final HeldTasks held;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile List<SigningSecret> secrets = List.of();
  private volatile boolean closed;
  private TaskEdge.@Nullable Waiting waiting;
  private @Nullable Seen seen;

  /** The pool's generation, URLs and credentials, by which a change is noticed. */
  private record Seen(long generation, Set<EndpointUrl> urls, @Nullable TlsMaterial identity) {}

  /**
   * Starts without endpoints; {@link #update} sets them.
   *
   * @param bytes payload bytes in flight, of all pools
   * @param wake makes the loop call {@link #ask} soon
   */
  PoolWorker(
      String name,
      Pool pool,
      PushPorts ports,
      CompletionTokens tokens,
      AtomicLong bytes,
      Runnable wake) {
    this.name = name;
    this.ports = ports;
    this.tokens = tokens;
    this.bytes = bytes;
    this.wake = wake;
    this.held = new HeldTasks(ports, bytes, this::room);
    this.rotation = new PoolRotation(pool, ports, wake);
    this.tools = new PushAttempt.Tools(rotation, () -> secrets, ports, new AvoidedEndpoints());
  }

  /** Sets the pool's keys, settings and URLs. */
  void update(StoredPool stored) {
    secrets = stored.keys().stream().map(key -> SigningSecret.ofBytes(key.secret())).toList();
    Set<EndpointUrl> urls =
        switch (stored.pool().endpoints()) {
          case Pool.Endpoints.Listed(List<EndpointUrl> listed) -> Set.copyOf(listed);
          case Pool.Endpoints.Resolved(EndpointUrl url) -> Set.of(url);
          case Pool.Endpoints.Registered() -> Set.copyOf(stored.registered());
        };
    String tls = stored.pool().tls();
    TlsMaterial identity = tls == null ? null : ports.caller().credentials().find(tls).orElse(null);
    Seen now = new Seen(stored.generation(), urls, identity);
    if (!now.equals(seen)) {
      seen = now;
      rotation.update(stored.pool(), urls, identity);
    }
  }

  PoolRotation rotation() {
    return rotation;
  }

  /** Requests in flight, and attempts whose end the store does not know yet. */
  int inFlight() {
    return held.size();
  }

  /** Asks for work if there is room for it and an endpoint that may get a request. */
  void ask() {
    boolean able = !closed && rotation.isReadyBut(Set.of());
    if (asking.get()) {
      if (!able && waiting != null) {
        waiting.end();
      }
      return;
    }
    int room =
        Math.min(
            Math.min(MOST_AT_ONCE, rotation.room()), rotation.pool().maxInFlight() - held.size());
    // A pool may use at most as many bytes as remain free, so that a pool with slow endpoints
    // leaves room for the others (dynamic thresholds: Choudhury and Hahne 1998).
    long bytesLeft = (ports.caller().config().maxBytes() - bytes.get() - held.bytes()) / 2;
    if (!able || room < 1 || bytesLeft < 1) {
      return;
    }
    asking.set(true);
    waiting =
        ports
            .tasks()
            .nextWork(
                new WorkRequest(name, Set.of(rotation.pool().name()), room, bytesLeft, false),
                AnswerCallback.of(
                    work -> {
                      take(work);
                      asking.set(false);
                      wake.run();
                    },
                    _ -> asking.set(false)));
  }

  private void room() {
    if (!asking.get()) {
      wake.run();
    }
  }

  /** Called on a thread of the engine; the requests begin on event loops. */
  private void take(List<ClaimedTask> work) {
    for (HeldTask one : work.stream().map(held::add).toList()) {
      ports
          .caller()
          .run(() -> {
            try {
              begin(one);
            } catch (
                RuntimeException e) { // whatever it is, the task must not keep its place for ever
              held.ended(
                  one,
                  new End.With(
                      new AttemptOutcome.RetryLater("not begun: " + e, e.getClass().getName())));
            }
          });
    }
  }

  private void begin(HeldTask one) {
    if (closed) {
      held.ended(one, new End.With(new AttemptOutcome.NotBegun()));
      return;
    }
    PushRequest request;
    try {
      request = PushRequest.decode(one.work().details().payload());
    } catch (IllegalArgumentException e) {
      String error = String.valueOf(e.getMessage());
      held.ended(one, new End.With(new AttemptOutcome.Failed(error, "cannot be sent")));
      return;
    }
    SignedRequest signed =
        new SignedRequest(rotation.pool().name(), one.work(), request, tokens.of(one.task()));
    PushAttempt attempt =
        new PushAttempt(
            one.work(),
            signed,
            tools,
            bytes -> held.takeRoom(one, bytes),
            end -> held.ended(one, end));
    one.begins(attempt);
    attempt.begin();
  }

  /** Extends the leases, and reports again the ends that the store does not have. */
  void tend() {
    held.tend();
  }

  /** Stops asking for work; requests in flight go on. */
  void close() {
    closed = true;
    ports.tasks().leave(name);
  }

  /** Abandons tasks that are still in flight and closes the endpoints. */
  void release() {
    held.abandon();
    rotation.close();
  }
}
