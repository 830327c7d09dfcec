package io.kairos.domain.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.pool.EndpointRouting.Candidate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class EndpointRoutingTest {
  private static final int CALLS = 10_000;

  private final RandomGenerator chance =
      RandomGeneratorFactory.of("L64X128MixRandom").create(20261122);

  private static List<Candidate> equals(int count) {
    List<Candidate> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(new Candidate("http://10.0.0." + i + ":80", 1, 0, 0, 0));
    }
    return all;
  }

  private int[] counts(EndpointRouting routing, List<Candidate> candidates) {
    int[] counts = new int[candidates.size()];
    for (int i = 0; i < CALLS; i++) {
      counts[routing.choose(candidates, "key " + i, chance)]++;
    }
    return counts;
  }

  @Test
  void ph28_random_gives_each_its_share() {
    List<Candidate> two =
        List.of(new Candidate("whole", 1, 9, 0, 0), new Candidate("quarter", 0.25, 0, 0, 0));

    assertThat(counts(EndpointRouting.RANDOM, two)[1]).isBetween(1_800, 2_200);
  }

  @Test
  void ph28_the_one_with_the_fewest_requests_gets_the_next() {
    List<Candidate> three =
        List.of(
            new Candidate("a", 1, 0, 0, 7),
            new Candidate("b", 1, 9, 0, 6),
            new Candidate("c", 1, 0, 0, 8));

    assertThat(EndpointRouting.ROUND_ROBIN.choose(three, "key", chance)).isEqualTo(1);
  }

  @Test
  void ph27_the_least_loaded_gets_the_request() {
    List<Candidate> three =
        List.of(
            new Candidate("a", 1, 3, 0, 0),
            new Candidate("b", 1, 2, 0, 0),
            new Candidate("c", 0.1, 1, 0, 0));

    assertThat(EndpointRouting.LEAST_LOADED.choose(three, null, chance)).isEqualTo(1);
  }

  @Test
  void ph27_idle_ones_take_turns() {
    for (int count : counts(EndpointRouting.LEAST_LOADED, equals(4))) {
      assertThat(count).isBetween(2_300, 2_700);
    }
  }

  @Test
  void ph28_the_fastest_gets_the_request_until_it_has_too_many() {
    Candidate slow = new Candidate("slow", 1, 0, 10_000_000, 0);

    assertThat(
            EndpointRouting.FASTEST.choose(
                List.of(slow, new Candidate("fast", 1, 8, 1_000_000, 0)), null, chance))
        .isEqualTo(1);
    assertThat(
            EndpointRouting.FASTEST.choose(
                List.of(slow, new Candidate("fast", 1, 10, 1_000_000, 0)), null, chance))
        .isEqualTo(0);
  }

  @Test
  void ph28_one_that_has_never_answered_gets_no_more_than_the_fastest() {
    Candidate known = new Candidate("known", 1, 2, 1_000_000, 0);

    assertThat(
            EndpointRouting.FASTEST.choose(
                List.of(known, new Candidate("new", 1, 1, 0, 0)), null, chance))
        .isEqualTo(1);
    assertThat(
            EndpointRouting.FASTEST.choose(
                List.of(known, new Candidate("hangs", 1, 3, 0, 0)), null, chance))
        .isEqualTo(0);
    assertThat(
            EndpointRouting.FASTEST.choose(
                List.of(new Candidate("new", 1, 1, 0, 0), new Candidate("other", 1, 0, 0, 0)),
                null,
                chance))
        .isEqualTo(1);
  }

  @Test
  void ph28_a_key_sticks_and_keys_are_spread() {
    List<Candidate> five = equals(5);

    for (int count : counts(EndpointRouting.STICKY, five)) {
      assertThat(count).isBetween(1_850, 2_150);
    }
    assertThat(owners(five)).isEqualTo(owners(five));
  }

  @Test
  void ph28_when_an_endpoint_leaves_only_its_keys_move() {
    Map<String, String> before = owners(equals(5));
    Map<String, String> after = owners(equals(5).subList(0, 4));

    before.forEach((key, owner) -> {
      if (!owner.equals("http://10.0.0.4:80")) {
        assertThat(after).containsEntry(key, owner);
      }
    });
  }

  @Test
  void ph29_an_endpoint_that_returns_takes_keys_gradually_and_only_those() {
    List<Candidate> returning = new ArrayList<>(equals(4));
    Map<String, String> without = owners(returning);
    String back = "http://10.0.0.9:80";
    int former = 0;
    for (double share : new double[] {0.1, 0.5, 1}) {
      List<Candidate> now = new ArrayList<>(returning);
      now.add(new Candidate(back, share, 0, 0, 0));
      Map<String, String> owners = owners(now);
      int taken = 0;
      for (Map.Entry<String, String> one : owners.entrySet()) {
        if (one.getValue().equals(back)) {
          taken++;
        } else {
          assertThat(without).containsEntry(one.getKey(), one.getValue());
        }
      }
      assertThat(taken).isGreaterThan(former);
      former = taken;
    }
    assertThat(former).isBetween(1_850, 2_150);
  }

  private Map<String, String> owners(List<Candidate> candidates) {
    Map<String, String> owners = new HashMap<>();
    for (int i = 0; i < CALLS; i++) {
      String key = "customer " + i;
      owners.put(key, candidates.get(EndpointRouting.STICKY.choose(candidates, key, chance)).id());
    }
    return owners;
  }
}
