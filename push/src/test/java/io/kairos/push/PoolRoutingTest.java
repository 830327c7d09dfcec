package io.kairos.push;

import static io.kairos.push.Pushing.POOL;
import static io.kairos.push.Pushing.pool;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.pool.EndpointRouting;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.engine.cluster.DetailFigures.Endpoint;
import io.kairos.engine.cluster.DetailFigures.EndpointWork;
import io.kairos.engine.cluster.LatenessCounts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the requests of a pool are spread over real HTTP servers. */
@Timeout(120)
class PoolRoutingTest {
  private static final PushRequest HELLO = PushRequest.post(new byte[] {1});

  private final Pushing pushing = new Pushing();
  private final CountDownLatch end = new CountDownLatch(1);
  private final List<WorkerServer> workers = new ArrayList<>();

  @AfterEach
  void close() {
    end.countDown();
    pushing.close();
    workers.forEach(WorkerServer::close);
  }

  private WorkerServer worker() throws IOException {
    return answeringAfter(0);
  }

  /** One that answers after this time, or when the test ends. */
  private WorkerServer answeringAfter(long millis) throws IOException {
    WorkerServer worker =
        new WorkerServer(exchange -> {
          try {
            boolean _ = end.await(millis, TimeUnit.MILLISECONDS);
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          exchange.sendResponseHeaders(200, -1);
        });
    workers.add(worker);
    return worker;
  }

  private static Pool routed(EndpointRouting routing, List<WorkerServer> workers) {
    Pool pool = pool(workers.toArray(WorkerServer[]::new));
    return new Pool(
        pool.name(),
        pool.endpoints(),
        routing,
        pool.ejection(),
        null,
        pool.requestTimeout(),
        pool.completionTimeout(),
        false,
        pool.maxInFlight(),
        pool.tls());
  }

  /** Creates it, and waits until all its endpoints take requests. */
  private void create(Pool pool) {
    pushing.create(pool);
    pushing.until(() -> pushing.node.endpoints(POOL).size() == workers.size());
  }

  private void push(int requests) throws InterruptedException {
    for (int i = 0; i < requests; i++) {
      assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());
    }
  }

  private List<Integer> counts() {
    return workers.stream().map(worker -> worker.got().size()).toList();
  }

  @Test
  void ph28_round_robin_gives_each_as_many_and_a_new_endpoint_does_not_catch_up() throws Exception {
    List<WorkerServer> three = List.of(worker(), worker(), worker());
    create(routed(EndpointRouting.ROUND_ROBIN, three));
    push(30);
    assertThat(counts()).containsExactly(10, 10, 10);

    worker();
    pushing.pools.update(POOL, _ -> routed(EndpointRouting.ROUND_ROBIN, workers));
    pushing.node.poolsChanged();
    pushing.until(() -> pushing.node.endpoints(POOL).size() == 4);
    push(40);

    assertThat(counts().get(3)).isBetween(10, 11);
    assertThat(counts().subList(0, 3)).allMatch(count -> count == 19 || count == 20);
  }

  @Test
  void ph28_round_robin_gives_each_as_many_of_those_that_begin_at_once() throws Exception {
    create(routed(EndpointRouting.ROUND_ROBIN, List.of(worker(), worker())));

    for (int round = 1; round <= 100; round++) {
      for (int i = 0; i < 4; i++) {
        pushing.tasks.give(POOL, HELLO, 1, null);
      }
      for (int i = 0; i < 4; i++) {
        assertThat(pushing.tasks.outcome()).isEqualTo(new AttemptOutcome.Succeeded());
      }
      assertThat(counts()).as("round %s", round).containsExactly(2 * round, 2 * round);
    }
  }

  @Test
  void what_a_node_does_with_each_endpoint_is_told_and_answers_once() throws Exception {
    WorkerServer busy = answeringAfter(60_000);
    create(routed(EndpointRouting.ROUND_ROBIN, List.of(busy, worker())));
    pushing.tasks.give(POOL, HELLO, 1, null);
    pushing.tasks.give(POOL, HELLO, 1, null);
    AtomicLong answers = new AtomicLong();
    pushing.until(() ->
        answers.addAndGet(
                pushing.node.takeDetails().endpoints().values().stream()
                    .mapToLong(work -> work.answers().total())
                    .sum())
            == 1);
    pushing.until(() -> !busy.got().isEmpty());

    Map<Endpoint, EndpointWork> now = pushing.node.takeDetails().endpoints();

    assertThat(now.keySet())
        .singleElement()
        .satisfies(endpoint -> {
          assertThat(endpoint.pool()).isEqualTo(POOL);
          assertThat(endpoint.name()).startsWith(busy.url());
        });
    assertThat(now.values()).containsExactly(new EndpointWork(1, 0, 0, LatenessCounts.NONE));
  }

  @Test
  void ph27_least_loaded_gives_nothing_more_to_the_one_that_still_works() throws Exception {
    WorkerServer busy = answeringAfter(60_000);
    create(routed(EndpointRouting.LEAST_LOADED, List.of(busy, worker(), worker())));
    while (busy.got().isEmpty()) {
      int before = answered();
      pushing.tasks.give(POOL, HELLO, 1, null);
      pushing.until(() -> answered() > before || !busy.got().isEmpty());
    }
    int before = answered();

    for (int i = 1; i <= 40; i++) {
      int more = i;
      pushing.tasks.give(POOL, HELLO, 1, null);
      pushing.until(() -> answered() == before + more);
    }

    assertThat(busy.got()).hasSize(1);
    assertThat(counts().subList(1, 3)).allMatch(count -> count >= 10);
  }

  private int answered() {
    return (int) pushing.events.stream().filter("answered 200"::equals).count();
  }

  @Test
  void ph28_fastest_leaves_the_slow_one_alone_while_the_quick_one_is_idle() throws Exception {
    WorkerServer slow = answeringAfter(100);
    create(routed(EndpointRouting.FASTEST, List.of(slow, worker())));

    push(40);

    assertThat(slow.got()).hasSizeLessThanOrEqualTo(5);
  }

  @Test
  void ph28_without_a_key_the_runs_of_a_schedule_stick_to_one_endpoint() throws Exception {
    List<WorkerServer> three = List.of(worker(), worker(), worker());
    create(routed(EndpointRouting.STICKY, three));

    Map<String, Integer> owners = ownersOfSchedules();

    assertThat(owners.values()).contains(0, 1, 2);
    assertThat(ownersOfSchedules()).isEqualTo(owners);
  }

  @Test
  void ph28_a_routing_key_goes_before_the_ordering_key() throws Exception {
    List<WorkerServer> three = List.of(worker(), worker(), worker());
    create(routed(EndpointRouting.STICKY, three));
    PushRequest routed =
        new PushRequest(
            "POST",
            "/",
            List.of(new MessageHeader("routing-key", "customer 7".getBytes(US_ASCII))),
            HELLO.body());

    for (int i = 0; i < 20; i++) {
      pushing.tasks.give(POOL, routed, 1, "key " + i);
      pushing.tasks.outcome();
    }

    assertThat(counts()).containsOnlyOnce(20).contains(0);
  }

  /** The place of the endpoint that gets the runs of each schedule. */
  private Map<String, Integer> ownersOfSchedules() throws InterruptedException {
    Map<String, Integer> owners = new TreeMap<>();
    for (int i = 0; i < 20; i++) {
      List<Integer> before = counts();
      String schedule = "schedule-" + i;
      for (int run = 0; run < 3; run++) {
        PushRequest.Fire fire = new PushRequest.Fire(schedule, 1_772_366_400_000_000L + run);
        pushing.push(new PushRequest(HELLO.method(), HELLO.path(), List.of(), HELLO.body(), fire));
      }
      List<Integer> after = counts();
      for (int place = 0; place < after.size(); place++) {
        int got = after.get(place) - before.get(place);
        assertThat(got).as("runs of %s at endpoint %d", schedule, place).isIn(0, 3);
        if (got == 3) {
          owners.put(schedule, place);
        }
      }
    }
    return owners;
  }
}
