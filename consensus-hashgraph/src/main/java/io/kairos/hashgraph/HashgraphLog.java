package io.kairos.hashgraph;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.PendingState;
import io.kairos.engine.replica.PostedStep;
import io.kairos.engine.replica.RequestOrigin;
import io.kairos.engine.replica.RequestSubmissions;
import io.kairos.engine.replica.StateMachine;
import io.kairos.engine.replica.SubmissionResult;
import io.kairos.engine.replica.SubmittingLog;
import io.kairos.engine.replica.TickBudget;
import io.kairos.engine.time.MonotonicClock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * One replica of a log on a {@link HashgraphCore}. Tolerates fewer than a third of the replicas
 * doing anything, one key each. Its thread, network and disk are given to it. A request is answered
 * as done when it was executed here, in an order that the others cannot but come to.
 */
public class HashgraphLog extends SubmittingLog {
  private final HashgraphConfig config;
  private final Surroundings surroundings;
  private final HashgraphCore core;
  private final TickBudget ticks;
  private final AtomicLong sequence = new AtomicLong();

  /** Bytes of requests that were submitted and wait for the thread. */
  private final AtomicLong postedBytes = new AtomicLong();

  /**
   * Surroundings of a replica.
   *
   * @param nanos counts nanoseconds, for pauses; the clock is that by which events are dated
   */
  public record Surroundings(
      LogThread thread,
      EventKeys keys,
      EventJournal journal,
      HashgraphCore.Network network,
      InstantSource clock,
      MonotonicClock nanos,
      RandomGenerator random,
      Watcher watcher) {}

  /** Starts a replica; called on its thread, or before that runs. */
  public static HashgraphLog open(
      HashgraphConfig config,
      StateMachine machine,
      OrderedExecution.Config execution,
      RequestSubmissions.Bounds bounds,
      Surroundings surroundings) {
    return new HashgraphLog(
        config, new OrderedExecution(machine, execution, config.cluster()), bounds, surroundings);
  }

  HashgraphLog(
      HashgraphConfig config,
      OrderedExecution execution,
      RequestSubmissions.Bounds bounds,
      Surroundings surroundings) {
    super(execution, bounds);
    this.config = config;
    this.surroundings = surroundings;
    this.ticks = new TickBudget(config.cluster(), config.bounds().roundTicks());
    HashgraphCore.Ports ports =
        new HashgraphCore.Ports(
            surroundings.keys(),
            surroundings.journal(),
            surroundings.network(),
            new Requests(),
            surroundings.clock(),
            surroundings.nanos(),
            surroundings.random());
    this.core = HashgraphCore.open(config, ports);
  }

  /** Executes what the core orders. */
  private final class Requests implements HashgraphCore.Application {
    @Override
    public boolean execute(ReplicaId creator, byte[] request, Instant agreed) {
      RequestEnvelope envelope = RequestEnvelope.decode(creator, request).orElse(null);
      if (envelope == null
          || !ticks.take(creator, envelope.origin().client(), envelope.command())) {
        surroundings.watcher().skipped(creator);
        return false;
      }
      SubmissionResult result =
          execution.execute(
              envelope.origin(), AgreedTime.at(agreed.toEpochMilli()), envelope.command());
      sequence.set(execution.sequence());
      surroundings.watcher().executed(envelope.origin(), result, agreed);
      submissions.settle(envelope.origin().client(), envelope.origin().request(), result);
      return true;
    }

    @Override
    public void executed(long round, int events) {
      ticks.refill(config.bounds().roundTicks());
      surroundings.watcher().round(round, events);
    }

    @Override
    public byte[] snapshot() {
      return execution.snapshot();
    }

    @Override
    public void restore(byte[] snapshot) {
      execution.restore(snapshot);
      sequence.set(execution.sequence());
      submissions.restored();
    }
  }

  /**
   * Is told what this replica executes, on its thread; also while it starts, when the journal is
   * replayed.
   */
  public interface Watcher {
    Watcher NOBODY = new Watcher() {};

    /** A request was executed, or was found to have been. */
    default void executed(RequestOrigin origin, SubmissionResult result, Instant agreed) {}

    /** A request was skipped: it is none, in the name of another, or a tick beyond the budget. */
    default void skipped(ReplicaId creator) {}

    /** A round was executed, which ordered so many events. */
    default void round(long round, int events) {}
  }

  /** The protocol, on the log's thread only. */
  public HashgraphCore core() {
    return core;
  }

  /**
   * Takes a message of another replica, on any thread.
   *
   * @param done called once when the message takes no room any more, with the nanoseconds of the
   *     thread that were spent on checking it
   * @return false for bytes that are no message
   */
  public boolean receive(ReplicaId from, byte[] message, LongConsumer done) {
    PeerMessage decoded = PeerMessage.decode(message, config.bounds()).orElse(null);
    onThread(
        () -> {
          long spent = 0;
          try {
            spent = core.receive(from, decoded, surroundings.nanos().nanos());
          } finally {
            done.accept(spent);
          }
        },
        () -> done.accept(0));
    return decoded != null;
  }

  private void onThread(Runnable code, Runnable instead) {
    if (surroundings.thread().isCurrent()) {
      code.run();
    } else {
      surroundings.thread().post(code, instead);
    }
  }

  @Override
  public ReplicaId self() {
    return config.self();
  }

  @Override
  public ReplicaGroup cluster() {
    return config.cluster();
  }

  @Override
  public List<Step> steps() {
    return List.of(
        new PostedStep("resend", this, RequestSubmissions.AGAIN_EVERY, submissions::again),
        new PostedStep("events", this, config.pace().create(), this::look));
  }

  /** True while no request of this replica is pending; on the log's thread only. */
  boolean isIdle() {
    return submissions.isEmpty();
  }

  /** Makes an event and asks others, as far as that is due; on the log's thread only. */
  public void look() {
    core.look(surroundings.nanos().nanos());
  }

  @Override
  public void submit(
      ClientId client, long request, byte[] command, Consumer<SubmissionResult> answered) {
    int most = config.bounds().requestBytes() - RequestEnvelope.HEAD_BYTES;
    if (command.length > most) {
      answered.accept(
          new SubmissionResult.Refused(
              "the request has %d bytes, and an event has room for %d: divide it"
                  .formatted(command.length, most)));
      return;
    }
    int cost = command.length + EventGraph.REQUEST_OVERHEAD;
    if (postedBytes.addAndGet(cost) > config.bounds().queuedBytes()) {
      postedBytes.addAndGet(-cost);
      answered.accept(
          new SubmissionResult.Refused(
              "requests of more than %d bytes wait at this replica: submit it later, or to another one"
                  .formatted(config.bounds().queuedBytes())));
      return;
    }
    onThread(
        () -> {
          postedBytes.addAndGet(-cost);
          if (submissions.submit(client, request, command, answered)) {
            surroundings.thread().post(submissions::takeUp);
          }
        },
        () -> answered.accept(new SubmissionResult.Unknown("this replica has stopped")));
  }

  @Override
  protected void propose(ClientId client, long request, byte[] command, Runnable failed) {
    core.submit(
        RequestEnvelope.encode(client, request, command),
        new HashgraphCore.Submitter() {
          @Override
          public void failed() {
            failed.run();
          }

          @Override
          public boolean isWanted() {
            return submissions.pending(client, request) == PendingState.ORDERING;
          }
        });
  }

  @Override
  public void onConsumed(ConsumedListener listener) {
    onThread(() -> submissions.onConsumed(listener), () -> {});
  }

  @Override
  public void post(Runnable code) {
    surroundings.thread().post(code);
  }

  @Override
  public long sequence() {
    return sequence.get();
  }

  /** Answers what is pending; whoever owns the thread ends it. */
  @Override
  public void close() {
    onThread(() -> submissions.end("this replica is closed"), () -> {});
  }
}
