package io.kairos.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kairos.domain.pool.EndpointEjection;
import io.kairos.domain.pool.EndpointRouting;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.pool.Pool.Endpoints;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.pool.port.PoolStore;
import io.kairos.engine.pool.port.PoolStore.Created;
import io.kairos.engine.pool.port.PoolStore.Registered;
import io.kairos.engine.pool.port.StoredPool;
import io.kairos.engine.pool.port.StoredPool.SigningKey;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of every {@link PoolStore}, checked from outside through the port. */
public abstract class PoolStoreContract {
  private static final PoolName BILLING = new PoolName("billing");
  private static final EndpointUrl FIRST = EndpointUrl.of("http://10.0.0.1:8080/jobs");
  private static final EndpointUrl SECOND = EndpointUrl.of("https://w2.example.com");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final byte[] KEY = new byte[32];
  private static final byte[] OTHER_KEY = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24
  };

  @SuppressWarnings("NullAway.Init") // before each test
  private PoolStore pools;

  @BeforeEach
  void openStore() {
    pools = open();
  }

  /** A store without pools, and without a completion secret. */
  protected abstract PoolStore open();

  /** Lets at least this much time pass by the store's clock. */
  protected abstract void pass(Duration time);

  private static Pool listed() {
    return Pool.of(BILLING, new Endpoints.Listed(List.of(FIRST, SECOND)));
  }

  private static Pool registering() {
    return Pool.of(BILLING, new Endpoints.Registered());
  }

  private StoredPool stored() {
    return pools.find(BILLING).orElseThrow();
  }

  @Test
  void what_is_created_is_found_with_all_of_its_parts() {
    Pool pool =
        new Pool(
            BILLING,
            new Endpoints.Resolved(SECOND),
            EndpointRouting.STICKY,
            new EndpointEjection(7, Duration.ofMillis(1_500), Duration.ZERO),
            "/health?deep=1",
            Duration.ofMillis(1_250),
            Duration.ofHours(30),
            true,
            17,
            "partner");

    assertThat(pools.create(pool, KEY)).isEqualTo(Created.YES);

    assertThat(stored().pool()).isEqualTo(pool);
    assertThat(stored().keys()).singleElement().extracting(SigningKey::secret).isEqualTo(KEY);
    assertThat(stored().registered()).isEmpty();
  }

  @Test
  void each_kind_of_endpoints_is_kept() {
    for (Endpoints endpoints :
        List.of(
            new Endpoints.Listed(List.of(SECOND, FIRST)),
            new Endpoints.Resolved(SECOND),
            new Endpoints.Registered())) {
      pools.create(Pool.of(BILLING, endpoints), KEY);

      assertThat(stored().pool().endpoints()).isEqualTo(endpoints);
      pools.delete(BILLING);
    }
  }

  @Test
  void each_routing_is_kept() {
    pools.create(listed(), KEY);
    for (EndpointRouting routing : EndpointRouting.values()) {
      pools.update(
          BILLING,
          before ->
              new Pool(
                  before.name(),
                  before.endpoints(),
                  routing,
                  before.ejection(),
                  before.healthPath(),
                  before.requestTimeout(),
                  before.completionTimeout(),
                  before.answersLater(),
                  before.maxInFlight(),
                  before.tls()));

      assertThat(stored().pool().routing()).isEqualTo(routing);
    }
  }

  @Test
  void a_name_is_taken_once() {
    pools.create(listed(), KEY);

    assertThat(pools.create(registering(), OTHER_KEY)).isEqualTo(Created.TAKEN);
    assertThat(stored().pool()).isEqualTo(listed());
  }

  @Test
  void pools_are_listed_by_name_in_pages() {
    for (String name : List.of("b", "C", "a", "d")) {
      pools.create(Pool.of(new PoolName(name), new Endpoints.Registered()), KEY);
    }

    assertThat(names(pools.list(null, 3, (_, _) -> {}))).containsExactly("C", "a", "b");
    assertThat(names(pools.list(new PoolName("b"), 3, (_, _) -> {}))).containsExactly("d");
    assertThat(names(all(OptionalLong.empty()))).containsExactly("C", "a", "b", "d");
  }

  private List<StoredPool> all(OptionalLong believedMicros) {
    return pools.all(believedMicros, (_, _) -> {});
  }

  private static List<String> names(List<StoredPool> pools) {
    return pools.stream().map(one -> one.pool().name().value()).toList();
  }

  @Test
  void a_change_raises_the_generation_and_keeps_the_keys() {
    pools.create(listed(), KEY);
    long before = stored().generation();

    StoredPool changed = pools.update(BILLING, _ -> registering()).orElseThrow();

    assertThat(changed.pool()).isEqualTo(registering());
    assertThat(stored().pool()).isEqualTo(registering());
    assertThat(stored().generation()).isGreaterThan(before);
    assertThat(stored().keys()).hasSize(1);
    assertThat(pools.update(new PoolName("other"), pool -> pool)).isEmpty();
  }

  @Test
  void a_change_that_fails_changes_nothing() {
    pools.create(listed(), KEY);
    StoredPool before = stored();

    IllegalArgumentException no = new IllegalArgumentException("no");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            pools.update(
                BILLING,
                _ -> {
                  throw no;
                }))
        .withMessage("no");

    assertThat(stored().generation()).isEqualTo(before.generation());
    assertThat(stored().pool()).isEqualTo(before.pool());
  }

  @Test
  void what_is_deleted_is_gone_with_its_keys_and_endpoints() {
    pools.create(registering(), KEY);
    pools.register(BILLING, FIRST, HOUR);

    assertThat(pools.delete(BILLING)).isTrue();
    assertThat(pools.delete(BILLING)).isFalse();
    assertThat(pools.find(BILLING)).isEmpty();
    pools.create(registering(), OTHER_KEY);

    assertThat(stored().registered()).isEmpty();
    assertThat(stored().keys()).singleElement().extracting(SigningKey::secret).isEqualTo(OTHER_KEY);
  }

  @Test
  void ph26_a_worker_registers_its_endpoint_for_a_while() {
    pools.create(registering(), KEY);

    assertThat(pools.register(BILLING, SECOND, HOUR)).isEqualTo(Registered.NEW);
    assertThat(pools.register(BILLING, FIRST, HOUR)).isEqualTo(Registered.NEW);

    assertThat(stored().registered()).containsExactly(FIRST, SECOND);
    assertThat(pools.unregister(BILLING, FIRST)).isTrue();
    assertThat(pools.unregister(BILLING, FIRST)).isFalse();
    assertThat(stored().registered()).containsExactly(SECOND);
  }

  @Test
  void ph29_an_endpoint_that_is_not_heard_of_leaves_and_may_come_back() {
    pools.create(registering(), KEY);
    pools.register(BILLING, FIRST, Duration.ofMillis(1));
    pools.register(BILLING, SECOND, Duration.ofMillis(1));
    pools.register(BILLING, SECOND, HOUR);
    pass(Duration.ofMillis(2));

    assertThat(stored().registered()).containsExactly(SECOND);
    assertThat(pools.register(BILLING, FIRST, HOUR)).isEqualTo(Registered.NEW);
    assertThat(stored().registered()).hasSize(2);
  }

  @Test
  void the_lease_of_an_endpoint_is_judged_by_the_believed_time_when_the_clock_is_ahead_of_it() {
    pools.create(registering(), KEY);
    pools.register(BILLING, FIRST, Duration.ofMillis(1));
    pass(Duration.ofMinutes(1));
    pools.register(BILLING, SECOND, HOUR); // and removes nobody who has ended only now

    assertThat(all(OptionalLong.of(0)).getFirst().registered()).containsExactly(FIRST, SECOND);
    assertThat(all(OptionalLong.of(Long.MAX_VALUE)).getFirst().registered())
        .containsExactly(SECOND);
    assertThat(all(OptionalLong.empty()).getFirst().registered()).containsExactly(SECOND);

    pass(PoolStore.ENDED_KEPT);
    pools.register(BILLING, EndpointUrl.of("http://10.0.0.3"), HOUR);
    assertThat(all(OptionalLong.of(0)).getFirst().registered()).doesNotContain(FIRST);
  }

  @Test
  void nobody_registers_where_that_is_not_asked_for() {
    assertThat(pools.register(BILLING, FIRST, HOUR)).isEqualTo(Registered.NO_POOL);
    pools.create(listed(), KEY);

    assertThat(pools.register(BILLING, FIRST, HOUR)).isEqualTo(Registered.OTHER_KIND);
    pools.delete(BILLING);
    pools.create(registering(), KEY);
    pools.register(BILLING, FIRST, HOUR);
    pools.update(BILLING, _ -> listed());

    assertThat(pools.register(BILLING, FIRST, HOUR)).isEqualTo(Registered.OTHER_KIND);
  }

  @Test
  void only_https_endpoints_register_with_a_pool_that_has_credentials() {
    pools.create(registering(), KEY);
    assertThat(pools.register(BILLING, FIRST, HOUR)).isEqualTo(Registered.NEW);
    pools.update(
        BILLING,
        before ->
            new Pool(
                before.name(),
                before.endpoints(),
                before.routing(),
                before.ejection(),
                before.healthPath(),
                before.requestTimeout(),
                before.completionTimeout(),
                before.answersLater(),
                before.maxInFlight(),
                "partner"));

    assertThat(pools.register(BILLING, FIRST, HOUR)).isEqualTo(Registered.NEEDS_TLS);
    assertThat(pools.register(BILLING, EndpointUrl.of("http://10.0.0.3"), HOUR))
        .isEqualTo(Registered.NEEDS_TLS);
    assertThat(pools.register(BILLING, SECOND, HOUR)).isEqualTo(Registered.NEW);
    assertThat(pools.register(BILLING, SECOND, HOUR)).isEqualTo(Registered.RENEWED);
  }

  @Test
  void a_pool_has_room_for_a_bounded_number() {
    pools.create(registering(), KEY);
    for (int i = 0; i < Pool.MOST_ENDPOINTS; i++) {
      EndpointUrl url = EndpointUrl.of("http://10.0.0.1:" + (2_000 + i));
      assertThat(pools.register(BILLING, url, HOUR)).isEqualTo(Registered.NEW);
    }

    assertThat(pools.register(BILLING, FIRST, HOUR)).isEqualTo(Registered.FULL);
    assertThat(pools.register(BILLING, EndpointUrl.of("http://10.0.0.1:2000"), HOUR))
        .isEqualTo(Registered.RENEWED);
  }

  @Test
  void while_keys_are_rotated_both_sign_the_latest_first() {
    pools.create(listed(), KEY);

    StoredPool rotated = pools.rotate(BILLING, OTHER_KEY, HOUR).orElseThrow();

    assertThat(rotated.keys()).extracting(SigningKey::secret).containsExactly(OTHER_KEY, KEY);
    assertThat(stored().keys()).extracting(SigningKey::secret).containsExactly(OTHER_KEY, KEY);
  }

  @Test
  void a_key_that_retires_signs_no_more_after_the_overlap() {
    pools.create(listed(), KEY);
    pools.rotate(BILLING, OTHER_KEY, Duration.ofMillis(1));
    pass(Duration.ofMillis(2));

    assertThat(stored().keys()).extracting(SigningKey::secret).containsExactly(OTHER_KEY);
  }

  @Test
  void there_are_never_more_than_two_keys() {
    pools.create(listed(), KEY);
    pools.rotate(BILLING, OTHER_KEY, HOUR);
    byte[] third = new byte[24];

    pools.rotate(BILLING, third, HOUR);

    assertThat(stored().keys()).extracting(SigningKey::secret).containsExactly(third, OTHER_KEY);
    assertThat(pools.rotate(new PoolName("other"), third, Duration.ZERO)).isEmpty();
  }

  @Test
  void the_completion_secret_is_the_first_for_ever() {
    assertThat(pools.completionSecret(KEY)).isEqualTo(KEY);
    assertThat(pools.completionSecret(OTHER_KEY)).isEqualTo(KEY);
  }
}
