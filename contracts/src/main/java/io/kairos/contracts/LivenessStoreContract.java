package io.kairos.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.node.LivenessStore.Departed;
import io.kairos.engine.node.LivenessStore.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@link LivenessStore}. Time passes only when a test lets it, in minutes, so
 * that a slow machine changes no result.
 */
public abstract class LivenessStoreContract {
  private static final Duration LAPSE = Duration.ofMinutes(10);
  private static final Duration SHORT_OF_LAPSE = Duration.ofMinutes(8);
  private static final Duration PAST_LAPSE = Duration.ofMinutes(12);
  private static final Duration GRACE = Duration.ofMinutes(30);
  private static final Duration CLOCKS_AGREE_WITHIN = Duration.ofMinutes(1);

  private LivenessStores stores;
  private LivenessStore liveness;
  private NodeId node;
  private NodeId peer;
  private long lastNode;

  /** A store without nodes. Called before each test. */
  protected abstract LivenessStores freshStores();

  @BeforeEach
  void start_with_two_nodes() {
    stores = freshStores();
    liveness = stores.liveness();
    node = newNode();
    liveness.enrol(node, LAPSE);
    peer = newNode();
    liveness.enrol(peer, LAPSE);
  }

  private NodeId newNode() {
    return new NodeId(new UUID(0, ++lastNode));
  }

  @Test
  void a_new_node_is_alive_from_the_stores_now() {
    NodeId fresh = newNode();

    assertIsNow(liveness.enrol(fresh, LAPSE));
    assertThat(liveness.departed()).isEmpty();
    assertThat(liveness.renew(fresh)).isPresent();
  }

  @Test // TW-7
  void the_time_and_renewals_are_by_the_clock_of_the_store() {
    assertIsNow(liveness.time());
    assertIsNow(liveness.renew(node).orElseThrow());
  }

  private void assertIsNow(Instant time) {
    assertThat(time).isCloseTo(stores.now(), within(CLOCKS_AGREE_WITHIN));
  }

  @Test
  void time_alone_makes_no_node_depart() {
    stores.letPass(PAST_LAPSE);

    assertThat(liveness.alive()).extracting(Renewal::node).containsExactlyInAnyOrder(node, peer);
    assertThat(liveness.departed()).isEmpty();
    assertThat(liveness.renew(node)).isPresent();
  }

  @Test // CH-35
  void alive_is_who_has_not_departed_each_with_its_lapse_and_latest_renewal() {
    NodeId patient = newNode();
    liveness.enrol(patient, LAPSE.multipliedBy(3));
    Renewal enrolled = latest(node);
    stores.letPass(SHORT_OF_LAPSE);
    Instant renewedAt = liveness.renew(node).orElseThrow();

    assertThat(latest(node)).isEqualTo(new Renewal(node, renewedAt, LAPSE)).isNotEqualTo(enrolled);
    assertThat(latest(patient).lapse()).isEqualTo(LAPSE.multipliedBy(3));
    liveness.retire(peer);
    assertThat(liveness.alive()).extracting(Renewal::node).containsExactlyInAnyOrder(node, patient);
  }

  private Renewal latest(NodeId of) {
    return liveness.alive().stream()
        .filter(renewal -> renewal.node().equals(of))
        .findAny()
        .orElseThrow();
  }

  @Test // CH-20
  void a_node_that_is_declared_dead_has_departed_and_is_never_renewed() {
    liveness.declareDead(latest(node));
    liveness.declareDead(new Renewal(node, stores.now(), LAPSE));

    assertThat(liveness.renew(node)).isEmpty();
    assertThat(liveness.renew(node)).isEmpty();
    assertThat(liveness.departed()).containsExactly(new Departed(node, false));
    assertThat(liveness.renew(peer)).isPresent();
  }

  @Test
  void a_node_that_was_renewed_meanwhile_is_not_declared_dead() {
    Renewal seen = latest(node);
    stores.letPass(SHORT_OF_LAPSE);
    liveness.renew(node);

    liveness.declareDead(seen);

    assertThat(liveness.departed()).isEmpty();
    assertThat(liveness.renew(node)).isPresent();
  }

  @Test
  void a_node_that_has_retired_stays_so_when_it_is_declared_dead() {
    Renewal last = latest(node);
    liveness.retire(node);

    liveness.declareDead(last);

    assertThat(liveness.departed()).containsExactly(new Departed(node, true));
  }

  @Test
  void a_node_that_was_declared_dead_stays_so_when_it_retires() {
    liveness.declareDead(latest(node));

    liveness.retire(node);

    assertThat(liveness.departed()).containsExactly(new Departed(node, false));
  }

  @Test
  void enrolling_again_sets_the_lapse_anew() {
    liveness.enrol(node, LAPSE.multipliedBy(3));

    assertThat(latest(node).lapse()).isEqualTo(LAPSE.multipliedBy(3));
  }

  @Test
  void a_node_that_was_never_enrolled_is_not_renewed() {
    NodeId stranger = newNode();

    assertThat(liveness.renew(stranger)).isEmpty();
    liveness.retire(stranger);

    assertThat(liveness.departed()).isEmpty();
  }

  @Test
  void a_retired_node_has_departed_at_once_by_its_own_word() {
    liveness.retire(node);
    liveness.retire(node);

    assertThat(liveness.renew(node)).isEmpty();
    assertThat(liveness.departed()).containsExactly(new Departed(node, true));
  }

  @Test
  void a_node_is_buried_a_grace_after_it_departed() {
    liveness.declareDead(latest(node));
    liveness.retire(peer);
    stores.letPass(SHORT_OF_LAPSE);
    liveness.bury(GRACE);
    assertThat(liveness.departed())
        .containsExactlyInAnyOrder(new Departed(node, false), new Departed(peer, true));

    stores.letPass(GRACE);
    liveness.bury(GRACE);

    assertThat(liveness.departed()).isEmpty();
    assertThat(liveness.renew(node)).isEmpty();
  }

  @Test
  void a_live_node_is_not_buried() {
    stores.letPass(PAST_LAPSE);
    liveness.bury(Duration.ZERO);

    assertThat(liveness.renew(node)).isPresent();
  }
}
