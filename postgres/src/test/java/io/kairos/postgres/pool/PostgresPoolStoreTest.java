package io.kairos.postgres.pool;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.contracts.PoolStoreContract;
import io.kairos.domain.pool.EndpointRouting;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.pool.port.OlderNodesRun;
import io.kairos.engine.pool.port.PoolStore;
import io.kairos.engine.pool.port.StoredPool;
import io.kairos.engine.pool.port.UnreadablePool;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PostgresPoolStoreTest extends PoolStoreContract {
  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final PostgresStores STORES = DATABASE.open();

  @Override
  protected PoolStore open() {
    DATABASE.execute("truncate http_pool, http_pool_key, http_endpoint, push_secret");
    return STORES.pools();
  }

  @Override
  protected void pass(Duration time) {
    String past = " - " + time.toNanos() / 1_000;
    DATABASE.execute("update http_endpoint set lease_until = lease_until" + past);
    DATABASE.execute("update http_pool_key set retires_at = retires_at" + past);
  }

  private static Pool routed(String name, EndpointRouting routing) {
    Pool pool = Pool.of(new PoolName(name), new Pool.Endpoints.Registered());
    return new Pool(
        pool.name(),
        pool.endpoints(),
        routing,
        pool.ejection(),
        pool.healthPath(),
        pool.requestTimeout(),
        pool.completionTimeout(),
        pool.answersLater(),
        pool.maxInFlight(),
        pool.tls());
  }

  @Test
  void a_pool_that_a_later_version_has_written_is_left_out_and_can_be_deleted() {
    PoolStore pools = open();
    PoolName later = new PoolName("later");
    pools.create(routed("later", EndpointRouting.STICKY), new byte[24]);
    pools.create(routed("known", EndpointRouting.STICKY), new byte[24]);
    DATABASE.execute("alter table http_pool drop constraint http_pool_routing_check");
    DATABASE.execute("update http_pool set routing = 'X' where name = 'later'");
    List<String> unreadable = new ArrayList<>();

    List<StoredPool> all =
        pools.all(
            OptionalLong.empty(), (name, why) -> unreadable.add(requireNonNull(why.getMessage())));

    assertThat(all).extracting(one -> one.pool().name().value()).containsExactly("known");
    assertThat(unreadable)
        .containsExactly(
            "the pool later cannot be read by this node: this version knows no routing X");
    assertThat(pools.list(null, 9, (name, _) -> unreadable.add(name.value())))
        .extracting(one -> one.pool().name().value())
        .containsExactly("known");
    assertThat(unreadable).last().isEqualTo("later");
    assertThatThrownBy(() -> pools.find(later)).isInstanceOf(UnreadablePool.class);
    assertThatThrownBy(() -> pools.update(later, pool -> pool)).isInstanceOf(UnreadablePool.class);
    assertThat(pools.create(routed("later", EndpointRouting.RANDOM), new byte[24]))
        .isEqualTo(PoolStore.Created.TAKEN);
    assertThat(pools.delete(later)).isTrue();
  }

  @Test
  void round_robin_is_refused_while_a_node_runs_that_may_not_know_it() {
    PoolStore pools = open();
    PoolName random = new PoolName("random");
    Pool inTurn = routed("in-turn", EndpointRouting.ROUND_ROBIN);
    pools.create(routed("random", EndpointRouting.RANDOM), new byte[24]);
    DATABASE.execute(
        """
        insert into node (id, enrolled_at, renewed_at, lapse)
        values (gen_random_uuid(), clock_timestamp(), clock_timestamp(), interval '1.5 s')\
        """);

    assertThatThrownBy(() -> pools.create(inTurn, new byte[24])).isInstanceOf(OlderNodesRun.class);
    assertThatThrownBy(
            () -> pools.update(random, _ -> routed("random", EndpointRouting.ROUND_ROBIN)))
        .isInstanceOf(OlderNodesRun.class)
        .hasMessageContaining("ROUND_ROBIN");
    assertThat(pools.find(random).orElseThrow().pool().routing()).isEqualTo(EndpointRouting.RANDOM);
    assertThat(pools.update(random, _ -> routed("random", EndpointRouting.STICKY))).isPresent();

    DATABASE.execute("update node set retired_at = clock_timestamp()");
    assertThat(pools.create(inTurn, new byte[24])).isEqualTo(PoolStore.Created.YES);
  }
}
