package io.kairos.client;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.kairos.api.v1.CancelRequest;
import io.kairos.api.v1.GetRequest;
import io.kairos.api.v1.Idempotency;
import io.kairos.api.v1.ListRequest;
import io.kairos.api.v1.ListResponse;
import io.kairos.api.v1.PollRequest;
import io.kairos.api.v1.PollServiceGrpc;
import io.kairos.api.v1.RescheduleRequest;
import io.kairos.api.v1.ScheduleBatchRequest;
import io.kairos.api.v1.ScheduleBatchResponse;
import io.kairos.api.v1.ScheduleRequest;
import io.kairos.api.v1.ScheduleResponse;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.client.net.Channels;
import io.kairos.client.net.Nodes;
import io.kairos.client.net.Reach;
import io.kairos.client.net.Refusal;
import io.kairos.client.net.Retries;
import io.kairos.client.net.Sending;
import io.kairos.client.time.SystemTime;
import io.kairos.client.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Has work done: schedules tasks and asks what became of them. Goes to the nodes in turn, past
 * those that do not answer. Calls block; they are repeated, a bounded number of times, where twice
 * is as good as once or where the node says that nothing has happened. So a schedule call whose
 * answer was lost is <em>not</em> repeated, unless its task has an idempotency key that outlives it
 * and keeps the first: {@link NodesUnavailableException#mayHaveTakenEffect} tells. Every failure is
 * a {@link KairosException}. Thread-safe; one for the whole application will do.
 */
public final class KairosClient implements AutoCloseable {
  private final Channels channels;
  private final Retries retries;
  private final Duration callTimeout;
  private final Time time;
  private final RandomGenerator chance;

  private KairosClient(Builder builder) {
    channels = new Channels(builder.reach, channel -> channel);
    retries = new Retries(builder.attempts, channels.nodes().count(), builder.chance);
    callTimeout = builder.callTimeout;
    time = builder.time;
    chance = builder.chance;
  }

  /**
   * With the shipped settings.
   *
   * @param addresses {@code host:port} of one or several nodes
   */
  public static KairosClient connect(String... addresses) {
    return builder(addresses).build();
  }

  /**
   * With settings of one's own.
   *
   * @param addresses {@code host:port} of one or several nodes
   */
  public static Builder builder(String... addresses) {
    return new Builder(Reach.of(Arrays.asList(addresses)));
  }

  /** When it returns, the task is durable. */
  public TaskId schedule(TaskRequest task) {
    return accept(task).id();
  }

  /**
   * Accepts all or none.
   *
   * @param tasks at most 1,000
   * @return in their order
   */
  public List<TaskId> schedule(List<TaskRequest> tasks) {
    return accept(tasks).stream().map(Scheduled::id).toList();
  }

  /**
   * As {@link #schedule(TaskRequest)}, and says whether the task had been scheduled before. Throws
   * {@link TaskConflictException} when its idempotency key is taken and the first may not stand for
   * it.
   */
  public Scheduled accept(TaskRequest task) {
    ScheduleRequest request = task.wire();
    ScheduleResponse answer =
        call(TaskServiceGrpc.getScheduleMethod(), request, isRepeatable(request));
    return new Scheduled(TaskId.of(answer.getId()), answer.getDuplicate());
  }

  /** As {@link #schedule(List)}, and says which had been scheduled before. */
  public List<Scheduled> accept(List<TaskRequest> tasks) {
    ScheduleBatchRequest.Builder batch = ScheduleBatchRequest.newBuilder();
    tasks.forEach(task -> batch.addTasks(task.wire()));
    boolean repeatable = tasks.stream().allMatch(task -> isRepeatable(task.wire()));
    ScheduleBatchResponse answer =
        call(TaskServiceGrpc.getScheduleBatchMethod(), batch.build(), repeatable);
    Set<Integer> duplicates = new HashSet<>(answer.getDuplicatesList());
    List<Scheduled> scheduled = new ArrayList<>(answer.getIdsCount());
    for (int i = 0; i < answer.getIdsCount(); i++) {
      scheduled.add(new Scheduled(TaskId.of(answer.getIds(i)), duplicates.contains(i)));
    }
    return scheduled;
  }

  /** Whether a second try would find the first, and be content with it. */
  private static boolean isRepeatable(ScheduleRequest request) {
    Idempotency given = request.getIdempotency();
    boolean keeps =
        given.getOnConflict() == Idempotency.OnConflict.KEEP
            || given.getOnConflict() == Idempotency.OnConflict.ON_CONFLICT_UNSPECIFIED;
    boolean outlivesTheTask =
        given.hasDuration() || given.getWindow() == Idempotency.Window.FOREVER;
    return request.hasIdempotency() && keeps && outlivesTheTask;
  }

  /** Throws {@link TaskNotFoundException}. */
  public Task get(TaskId id) {
    GetRequest request = GetRequest.newBuilder().setId(id.toString()).build();
    return new Task(call(TaskServiceGrpc.getGetMethod(), request, true));
  }

  public TaskPage list(TaskQuery query) {
    ListRequest.Builder request =
        ListRequest.newBuilder()
            .setHandler(query.handler())
            .setCollection(query.collection())
            .setKey(query.key())
            .setPageSize(query.pageSize())
            .setPageToken(query.pageToken());
    query.states().forEach(state -> request.addStates(Protos.state(state)));
    ListResponse answer = call(TaskServiceGrpc.getListMethod(), request.build(), true);
    return new TaskPage(
        answer.getTasksList().stream().map(Task::new).toList(), answer.getNextPageToken());
  }

  /**
   * Throws {@link TaskNotFoundException}. When the answer to a first try was lost, {@link
   * CancelOutcome#TOO_LATE} can also mean that this try cancelled it: its state tells.
   */
  public CancelOutcome cancel(TaskId id) {
    CancelRequest request = CancelRequest.newBuilder().setId(id.toString()).build();
    return Protos.outcome(call(TaskServiceGrpc.getCancelMethod(), request, true).getOutcome());
  }

  /**
   * Gives a waiting task another due time. Throws {@link TaskConflictException} when it is being
   * performed or finished.
   */
  public Task reschedule(TaskId id, Instant runAt) {
    return reschedule(
        RescheduleRequest.newBuilder()
            .setId(id.toString())
            .setRunAt(Protos.timestamp(runAt))
            .build());
  }

  /** The same, from now by the node's clock. */
  public Task reschedule(TaskId id, Duration delay) {
    return reschedule(
        RescheduleRequest.newBuilder()
            .setId(id.toString())
            .setDelay(Protos.duration(delay))
            .build());
  }

  private Task reschedule(RescheduleRequest request) {
    return new Task(call(TaskServiceGrpc.getRescheduleMethod(), request, true));
  }

  /**
   * Has one of the nodes look for everything that time has made due: for whoever drives nodes from
   * outside. May be called at any rate, by any number. Goes past nodes that cannot act.
   *
   * @param within the answer comes after this at the latest, and what is under way goes on; shorter
   *     than the {@linkplain Builder#callTimeout call timeout}
   */
  public List<PolledStep> poll(Duration within) {
    PollRequest request = PollRequest.newBuilder().setWithin(Protos.duration(within)).build();
    return call(PollServiceGrpc.getPollMethod(), request, true).getStepsList().stream()
        .map(Protos::polled)
        .toList();
  }

  /** What operators do. */
  public QueueClient queues() {
    return new QueueClient(this);
  }

  /** Work that is done again and again. */
  public ScheduleClient schedules() {
    return new ScheduleClient(this, chance);
  }

  /** Pools of HTTP endpoints. */
  public PoolClient pools() {
    return new PoolClient(this);
  }

  /** A replicated cron, where the addresses are those of its replicas. */
  public CronClient cron() {
    return new CronClient(this);
  }

  <Q extends MessageLite, A extends MessageLite> A call(
      MethodDescriptor<Q, A> method, Q request, boolean repeatable) {
    Nodes nodes = channels.nodes();
    for (int attempt = 1; ; attempt++) {
      int node = nodes.next(time.nanos());
      Sending sending = new Sending();
      try {
        A answer =
            ClientCalls.blockingUnaryCall(
                channels.to(node),
                method,
                CallOptions.DEFAULT
                    .withDeadlineAfter(callTimeout.toNanos(), TimeUnit.NANOSECONDS)
                    .withStreamTracerFactory(sending),
                request);
        nodes.works(node);
        return answer;
      } catch (StatusRuntimeException e) {
        Refusal refusal = Refusal.of(e, sending);
        if (refusal.isUnavailable()) {
          Duration asked = refusal.retryAfter();
          nodes.failed(node, time.nanos(), asked == null ? Duration.ZERO : asked);
        }
        Duration pause =
            retries
                .after(refusal, attempt, repeatable)
                .orElseThrow(() -> Refusals.exceptionOf(refusal, e));
        pause(pause, e);
      }
    }
  }

  private void pause(Duration pause, StatusRuntimeException because) {
    try {
      time.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KairosException("interrupted before the call was repeated", because);
    }
  }

  /** Ends what is under way. */
  @Override
  public void close() {
    channels.close();
  }

  /** Not thread-safe. */
  public static final class Builder {
    private Reach reach;
    private Duration callTimeout = Duration.ofSeconds(10);
    private int attempts = 6;
    private Time time = new SystemTime();
    private RandomGenerator chance = SystemTime.chance();

    private Builder(Reach reach) {
      this.reach = reach;
    }

    /** API token; none is needed where the node has no {@code http.callers}. */
    public Builder token(String token) {
      reach = reach.withToken(token);
      return this;
    }

    /** Makes the channel to an address; plain text by default. The place for TLS. */
    public Builder transport(Function<String, ManagedChannelBuilder<?>> transport) {
      reach = reach.withTransport(transport);
      return this;
    }

    /** Bound on one try; 10 s by default. */
    public Builder callTimeout(Duration timeout) {
      callTimeout = timeout;
      return this;
    }

    /** How often a call is tried, counting the first; 6 by default. */
    public Builder attempts(int most) {
      attempts = most;
      return this;
    }

    /** For tests. */
    public Builder time(Time newTime, RandomGenerator newChance) {
      time = newTime;
      chance = newChance;
      return this;
    }

    /** Connects with the first call. */
    public KairosClient build() {
      return new KairosClient(this);
    }
  }
}
