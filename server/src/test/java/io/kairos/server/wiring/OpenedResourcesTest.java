package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class OpenedResourcesTest {
  private final OpenedResources opened = new OpenedResources();

  @Test
  @Timeout(60)
  void a_resource_that_takes_long_to_close_delays_no_other_and_one_that_fails_neither() {
    CountDownLatch otherIsClosed = new CountDownLatch(1);
    opened.add("other", otherIsClosed::countDown);
    opened.add(
        "fails",
        () -> {
          throw new IllegalStateException("injected");
        });
    opened.add("long", otherIsClosed::await);

    opened.closeTogether();

    assertThatExceptionOfType(StartException.class).isThrownBy(() -> opened.add("late", () -> {}));
  }

  @Test
  void what_needs_another_is_closed_before_it() {
    List<String> closed = new ArrayList<>();
    OpenedResources database = opened.add("the database", new OpenedResources());
    database.add("Postgres", () -> closed.add("Postgres"));
    database.add("the stores", () -> closed.add("the stores"));

    opened.closeTogether();

    assertThat(closed).containsExactly("the stores", "Postgres");
  }
}
