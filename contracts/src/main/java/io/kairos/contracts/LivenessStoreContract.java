package io.kairos.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.node.LivenessStore.Departed;
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
  void renewals_keep_a_node_alive_for_as_long_as_they_come_in_time() {
    for (int i = 0; i < 4; i++) {
      stores.letPass(SHORT_OF_LAPSE);
      assertThat(liveness.renew(node)).isPresent();
    }

    assertThat(liveness.departed()).containsExactly(new Departed(peer, false));
  }

  @Test
  void a_node_that_is_not_renewed_lapses() {
    stores.letPass(SHORT_OF_LAPSE);
    assertThat(liveness.departed()).isEmpty();

    stores.letPass(SHORT_OF_LAPSE);

    assertThat(liveness.departed())
        .containsExactlyInAnyOrder(new Departed(node, false), new Departed(peer, false));
  }

  /** Nodes with different configurations agree on which nodes are dead. */
  @Test // CH-35
  void a_node_lapses_by_the_lapse_with_which_it_enrolled() {
    NodeId patient = newNode();
    liveness.enrol(patient, LAPSE.multipliedBy(3));
    stores.letPass(PAST_LAPSE);

    assertThat(liveness.alive()).containsExactly(patient);
    assertThat(liveness.departed())
        .containsExactlyInAnyOrder(new Departed(node, false), new Departed(peer, false));
    assertThat(liveness.renew(node)).isEmpty();
    assertThat(liveness.renew(patient)).isPresent();

    stores.letPass(LAPSE.multipliedBy(3).plus(SHORT_OF_LAPSE));
    liveness.bury(GRACE);

    assertThat(liveness.departed()).containsExactly(new Departed(patient, false));
  }

  @Test
  void enrolling_again_sets_the_lapse_anew() {
    liveness.enrol(node, LAPSE.multipliedBy(3));
    stores.letPass(PAST_LAPSE);

    assertThat(liveness.alive()).containsExactly(node);
  }

  @Test
  void alive_is_who_has_neither_lapsed_nor_retired() {
    assertThat(liveness.alive()).containsExactlyInAnyOrder(node, peer);

    liveness.retire(peer);
    assertThat(liveness.alive()).containsExactly(node);

    stores.letPass(PAST_LAPSE);
    assertThat(liveness.alive()).isEmpty();
  }

  @Test // CH-20
  void a_lapsed_node_is_never_renewed_and_stays_departed() {
    stores.letPass(PAST_LAPSE);

    assertThat(liveness.renew(node)).isEmpty();
    assertThat(liveness.renew(node)).isEmpty();

    assertThat(liveness.departed()).contains(new Departed(node, false));
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
  void one_node_lapses_and_the_other_lives_on() {
    stores.letPass(SHORT_OF_LAPSE);
    liveness.renew(node);
    stores.letPass(SHORT_OF_LAPSE);

    assertThat(liveness.departed()).containsExactly(new Departed(peer, false));
    assertThat(liveness.renew(node)).isPresent();
  }

  @Test
  void a_node_is_buried_when_the_grace_has_passed_too() {
    stores.letPass(PAST_LAPSE);
    liveness.bury(GRACE);
    assertThat(liveness.departed()).hasSize(2);

    stores.letPass(GRACE);
    liveness.bury(GRACE);

    assertThat(liveness.departed()).isEmpty();
    assertThat(liveness.renew(node)).isEmpty();
  }

  @Test
  void a_retired_node_is_buried_a_grace_after_it_retired() {
    liveness.retire(node);
    stores.letPass(SHORT_OF_LAPSE);
    liveness.bury(GRACE);
    assertThat(liveness.departed()).containsExactly(new Departed(node, true));

    stores.letPass(GRACE);
    liveness.bury(GRACE);

    assertThat(liveness.departed()).containsExactly(new Departed(peer, false));
  }

  @Test
  void a_live_node_is_not_buried() {
    stores.letPass(SHORT_OF_LAPSE);
    liveness.bury(Duration.ZERO);

    assertThat(liveness.renew(node)).isPresent();
  }
}
