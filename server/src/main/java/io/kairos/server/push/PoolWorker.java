package io.kairos.server.push;

import io.kairos.api.push.SigningSecret;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.Outcome;
import io.kairos.engine.pool.port.StoredPool;
import io.kairos.engine.pool.port.StoredPool.Registration;
import io.kairos.engine.task.Answer;
import io.kairos.engine.task.TaskEdge;
import io.kairos.engine.task.Work;
import io.kairos.engine.task.WorkRequest;
import io.kairos.server.push.Held.End;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The worker of one pool: asks for its tasks like any worker, has each sent, and keeps what it
 * holds. {@link #ask} and {@link #tend} are called by one loop and never block; the rest happens on
 * event loops and on the engine's threads.
 */
final class PoolWorker {
  private static final int MOST_AT_ONCE = 1_000;

  private final String name;
  private final PushPorts ports;
  private final TaskEdge tasks;
  private final CompletionTokens tokens;
  private final Runnable wake;
  private final AtomicLong bytes;
  private final Crew crew;
  private final Attempt.Tools tools;
  private final HeldTasks held;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile List<SigningSecret> secrets = List.of();
  private volatile boolean closed;
  private TaskEdge.@Nullable Waiting waiting;
  private @Nullable Seen seen;

  /** By what a pool is known to be as it was. */
  private record Seen(long generation, Set<EndpointUrl> urls) {}

  /**
   * Knows nobody yet: {@link #is}.
   *
   * @param bytes under way, of all pools
   * @param wake has {@link #ask} called soon
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
    this.tasks = ports.tasks();
    this.tokens = tokens;
    this.bytes = bytes;
    this.wake = wake;
    this.held = new HeldTasks(pool.name(), ports, bytes, this::room);
    this.crew =
        new Crew(pool, ports.caller(), ports.monotonic(), ports.chance(), ports.dns(), wake);
    this.tools =
        new Attempt.Tools(
            crew, () -> secrets, ports.clock(), ports.monotonic(), ports.events(), new Shunned());
  }

  /** From now on the pool is this. */
  void is(StoredPool stored) {
    secrets = stored.keys().stream().map(key -> SigningSecret.ofBytes(key.secret())).toList();
    Set<EndpointUrl> urls =
        switch (stored.pool().endpoints()) {
          case Pool.Endpoints.Listed(List<EndpointUrl> listed) -> Set.copyOf(listed);
          case Pool.Endpoints.Resolved(EndpointUrl url) -> Set.of(url);
          case Pool.Endpoints.Registered() ->
              stored.registered().stream().map(Registration::url).collect(Collectors.toSet());
        };
    Seen now = new Seen(stored.generation(), urls);
    if (!now.equals(seen)) {
      seen = now;
      crew.are(stored.pool(), urls);
    }
  }

  Crew crew() {
    return crew;
  }

  /** Requests under way, and attempts whose end the store does not know yet. */
  int inFlight() {
    return held.size();
  }

  /** Asks for work if there is room for some and an endpoint that can take it. */
  void ask() {
    boolean able = !closed && crew.isReady();
    if (asking.get()) {
      if (!able && waiting != null) {
        waiting.end();
      }
      return;
    }
    int room =
        Math.min(Math.min(MOST_AT_ONCE, crew.room()), crew.pool().maxInFlight() - held.size());
    // At most as much as is still free then, so that a pool whose endpoints are slow leaves
    // something to the others (dynamic thresholds: Choudhury and Hahne 1998).
    long bytesLeft = (ports.caller().config().maxBytes() - bytes.get() - held.bytes()) / 2;
    if (!able || room < 1 || bytesLeft < 1) {
      return;
    }
    asking.set(true);
    waiting =
        tasks.nextWork(
            new WorkRequest(name, Set.of(crew.pool().name()), room, bytesLeft),
            new Answer<>() {
              @Override
              public void answered(List<Work> work) {
                take(work);
                asking.set(false);
                wake.run();
              }

              @Override
              public void failed(RuntimeException cause) {
                asking.set(false);
              }
            });
  }

  private void room() {
    if (!asking.get()) {
      wake.run();
    }
  }

  /** On the engine's thread: what takes time is done on an event loop. */
  private void take(List<Work> work) {
    for (Held one : work.stream().map(held::add).toList()) {
      ports.caller().run(() -> begin(one));
    }
  }

  private void begin(Held one) {
    if (closed) {
      held.ended(one, new End.With(new Outcome.NotBegun()));
      return;
    }
    PushRequest request;
    try {
      request = PushRequest.decode(one.work().details().payload());
    } catch (IllegalArgumentException e) {
      held.ended(one, new End.With(new Outcome.Failed(String.valueOf(e.getMessage()))));
      return;
    }
    Letter letter = new Letter(crew.pool().name(), one.work(), request, tokens.of(one.task()));
    Attempt attempt = new Attempt(one.work(), letter, tools, end -> held.ended(one, end));
    one.begins(attempt);
    attempt.begin();
  }

  /** Keeps the leases, and says again what the store has not taken. */
  void tend() {
    held.tend();
  }

  /** Takes nothing more; what is under way goes on. */
  void close() {
    closed = true;
    tasks.leave(name);
  }

  /** Lets go of the endpoints, when nothing is under way any more or it is given up. */
  void release() {
    held.abandon();
    crew.close();
  }
}
