package io.kairos.server.push;

import io.kairos.api.push.SigningSecret;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.Outcome;
import io.kairos.engine.pool.port.StoredPool;
import io.kairos.engine.pool.port.StoredPool.Registration;
import io.kairos.engine.task.Answer;
import io.kairos.engine.task.Report;
import io.kairos.engine.task.ReportResult;
import io.kairos.engine.task.TaskEdge;
import io.kairos.engine.task.Work;
import io.kairos.engine.task.WorkRequest;
import io.kairos.engine.task.port.Beat;
import io.kairos.server.push.Held.End;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The worker of one pool: asks for its tasks like any worker, has each sent, keeps the leases and
 * says how it ended. {@link #ask} and {@link #tend} are called by one loop and never block; the
 * rest happens on event loops and on the engine's threads.
 */
final class PoolWorker {
  private static final int MOST_AT_ONCE = 1_000;

  private final String name;
  private final PushPorts ports;
  private final TaskEdge tasks;
  private final CompletionTokens tokens;
  private final Runnable wake;
  private final AtomicLong bytes;
  private final AtomicLong ownBytes = new AtomicLong();
  private final Crew crew;
  private final Attempt.Tools tools;
  private final Map<FencedTask, Held> held = new ConcurrentHashMap<>();
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
    long bytesLeft = (ports.caller().config().maxBytes() - bytes.get() - ownBytes.get()) / 2;
    if (!able || room < 1 || bytesLeft < 1) {
      return;
    }
    asking.set(true);
    waiting =
        tasks.nextWork(
            new WorkRequest(name, Set.of(crew.pool().name().handler()), room, bytesLeft),
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

  /** On the engine's thread: what takes time is done on an event loop. */
  private void take(List<Work> work) {
    long now = ports.monotonic().nanos();
    List<Held> taken = new ArrayList<>();
    for (Work one : work) {
      Held mine = new Held(one, now);
      held.put(one.task(), mine);
      count(one.payload().length);
      taken.add(mine);
    }
    for (Held one : taken) {
      ports.caller().run(() -> begin(one));
    }
  }

  private void count(long more) {
    bytes.addAndGet(more);
    ownBytes.addAndGet(more);
  }

  private void begin(Held one) {
    if (closed) {
      ended(one, new End.With(new Outcome.NotBegun()));
      return;
    }
    PushRequest request;
    try {
      request = PushRequest.decode(one.work().payload());
    } catch (IllegalArgumentException e) {
      ended(one, new End.With(new Outcome.Failed(String.valueOf(e.getMessage()))));
      return;
    }
    Letter letter = new Letter(crew.pool().name(), one.work(), request, tokens.of(one.task()));
    Attempt attempt = new Attempt(one.work(), letter, tools, end -> ended(one, end));
    one.begins(attempt);
    attempt.begin();
  }

  private void ended(Held one, End how) {
    if (one.end(how)) {
      tell(one);
    }
  }

  /** Says to the store how it ended; {@link #tend} tries again when that does not work. */
  private void tell(Held one) {
    End end = one.end();
    if (end == null || !one.tell()) {
      return;
    }
    boolean offered =
        switch (end) {
          case End.With(Outcome outcome) ->
              tasks.report(
                  List.of(new Report(one.task(), outcome)),
                  new Told<List<ReportResult>>(one, false));
          case End.Later(var atMost) ->
              tasks.heartbeat(List.of(one.task()), atMost, new Told<List<Beat>>(one, true));
        };
    if (!offered) {
      one.notTold();
    }
  }

  /** Hears that the store knows how an attempt ended, or that the task is somebody else's. */
  private final class Told<T> implements Answer<T> {
    private final Held one;
    private final boolean later;

    Told(Held one, boolean later) {
      this.one = one;
      this.later = later;
    }

    @Override
    public void answered(T value) {
      if (later) {
        ports.events().goesOn(crew.pool().name());
      }
      forget(one);
    }

    @Override
    public void failed(RuntimeException cause) {
      one.notTold();
    }
  }

  private void forget(Held one) {
    if (held.remove(one.task(), one)) {
      count(-one.work().payload().length);
      if (!asking.get()) {
        wake.run();
      }
    }
  }

  /** Keeps the leases, and says again what the store has not taken. */
  void tend() {
    long now = ports.monotonic().nanos();
    long kept = tasks.lease().minus(tasks.heartbeatInterval()).toNanos();
    List<Held> alive = new ArrayList<>();
    for (Held one : held.values()) {
      if (now - one.leaseSinceNanos() > kept) {
        one.abandon();
        ports.events().lost(crew.pool().name());
        forget(one);
      } else {
        tell(one);
        if (!(one.end() instanceof End.Later)) {
          alive.add(one);
        }
      }
    }
    for (int from = 0; from < alive.size(); from += MOST_AT_ONCE) {
      beat(alive.subList(from, Math.min(alive.size(), from + MOST_AT_ONCE)), now);
    }
  }

  private void beat(List<Held> some, long sentNanos) {
    List<Held> sent = List.copyOf(some);
    var _ =
        tasks.heartbeat(
            sent.stream().map(Held::task).toList(),
            new Answer<>() {
              @Override
              public void answered(List<Beat> beats) {
                for (int i = 0; i < beats.size(); i++) {
                  heard(sent.get(i), beats.get(i), sentNanos);
                }
              }

              @Override
              public void failed(RuntimeException cause) {
                // The lease goes on until it is over; the next round asks again.
              }
            });
  }

  private void heard(Held one, Beat beat, long sentNanos) {
    switch (beat) {
      case EXTENDED -> one.renewed(sentNanos);
      case CANCEL_REQUESTED -> {
        one.renewed(sentNanos);
        if (one.end(new End.With(new Outcome.Cancelled()))) {
          one.abandon();
          tell(one);
        }
      }
      case LOST -> {
        one.abandon();
        forget(one);
      }
    }
  }

  /** Takes nothing more; what is under way goes on. */
  void close() {
    closed = true;
    tasks.leave(name);
  }

  /** Lets go of the endpoints, when nothing is under way any more or it is given up. */
  void release() {
    for (Held one : held.values()) {
      one.abandon();
      forget(one);
    }
    crew.close();
  }
}
