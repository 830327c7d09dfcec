package io.kairos.push;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.RequestTarget;
import io.kairos.domain.pool.PushRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** What a node accepts as a path and what it can send are decided by different code. */
class RequestPathTest {
  private static final int PATHS = 50_000;
  private static final List<String> SPECIAL =
      List.of(
          "/", "//", "/../", "?", "%", "%4", "%41", "%zz", "%00", "%1f", "%20", "%25", "%2F", "%2e",
          "%7F", "%80", "%C3%A9", "%fF");

  @Test
  void every_path_that_is_taken_can_be_sent() {
    RandomGenerator chance = RandomGeneratorFactory.of("L64X128MixRandom").create(20261122);
    List<String> pieces = new ArrayList<>(SPECIAL);
    for (char c = 0; c < 256; c++) {
      pieces.add(String.valueOf(c));
    }
    int taken = 0;
    for (int i = 0; i < PATHS; i++) {
      StringBuilder path = new StringBuilder("/");
      for (int left = chance.nextInt(6); left > 0; left--) {
        List<String> from = chance.nextBoolean() ? SPECIAL : pieces;
        path.append(from.get(chance.nextInt(from.size())));
      }
      if (PushRequest.isPath(path.toString())) {
        taken++;
        assertThat(RequestTarget.forClient(path.toString())).as(path.toString()).isNotNull();
      }
    }
    assertThat(taken).isGreaterThan(PATHS / 20);
  }
}
