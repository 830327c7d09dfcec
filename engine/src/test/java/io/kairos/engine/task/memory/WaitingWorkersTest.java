package io.kairos.engine.task.memory;

import static io.kairos.engine.task.memory.TaskSamples.MAIL;
import static io.kairos.engine.task.memory.TaskSamples.PRINT;
import static io.kairos.engine.task.memory.TaskSamples.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.memory.TaskSamples.Heard;
import io.kairos.engine.task.memory.WaitingWorkers.Waiter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WaitingWorkersTest {
  private static final long WANTED = Duration.ofSeconds(1).toNanos();

  private long nanos = 5;
  private final WaitingWorkers waiters = new WaitingWorkers(() -> nanos);

  private Waiter add(String worker, TaskHandler... handlers) {
    Waiter waiter = new Waiter(request(worker, 1, 1, handlers), new Heard<>());
    waiters.add(waiter);
    return waiter;
  }

  @Test
  void a_handler_is_wanted_while_somebody_waits_for_it_and_a_second_after_it_was_asked_for() {
    Waiter waiter = add("a", MAIL);
    nanos += 10 * WANTED;
    assertThat(waiters.isWanted(MAIL)).isTrue();
    assertThat(waiters.isWanted(PRINT)).isFalse();

    assertThat(waiters.end(waiter)).isTrue();
    assertThat(waiters.isWanted(MAIL)).isFalse();

    waiters.end(add("a", MAIL));
    nanos += WANTED;
    assertThat(waiters.isWanted(MAIL)).isTrue();
    nanos += 1;
    assertThat(waiters.isWanted(MAIL)).isFalse();
  }

  @Test
  void all_that_is_wanted_is_told_and_the_rest_forgotten() {
    waiters.end(add("a", MAIL));
    nanos += WANTED + 1;
    add("b", PRINT);

    assertThat(waiters.wanted()).containsExactly(PRINT);
  }

  @Test
  void whoever_comes_says_whether_it_wants_something_new() {
    assertThat(waiters.add(new Waiter(request("a", 1, 1, MAIL), new Heard<>()))).isTrue();
    assertThat(waiters.add(new Waiter(request("b", 1, 1, MAIL), new Heard<>()))).isFalse();
    assertThat(waiters.add(new Waiter(request("c", 1, 1, MAIL, PRINT), new Heard<>()))).isTrue();

    nanos += WANTED + 1;
    assertThat(waiters.add(new Waiter(request("d", 1, 1, MAIL), new Heard<>()))).isTrue();
  }

  @Test
  void the_longest_waiting_comes_first_and_who_is_being_served_is_passed_over() {
    Waiter first = add("a", MAIL);
    Waiter second = add("b", MAIL);
    Waiter third = add("c", MAIL);
    second.served = true;

    assertThat(waiters.unserved()).containsExactly(first, third);
    assertThat(waiters.all()).containsExactly(first, second, third);
    assertThat(waiters.of("b", null)).containsExactly(second);
    assertThat(waiters.size()).isEqualTo(3);
  }

  @Test
  void who_ends_its_wait_is_told_unless_tasks_are_being_claimed_for_it() {
    Waiter idle = add("a", MAIL);
    Waiter served = add("b", MAIL);
    served.served = true;

    assertThat(waiters.end(idle)).isTrue();
    assertThat(waiters.end(idle)).isFalse();
    assertThat(waiters.end(served)).isFalse();
    assertThat(waiters.all()).containsExactly(served);

    assertThat(waiters.served(served, false)).isTrue();
    assertThat(waiters.all()).isEmpty();
  }

  @Test
  void who_is_served_without_work_waits_on() {
    Waiter waiter = add("a", MAIL);
    waiter.served = true;

    assertThat(waiters.served(waiter, false)).isFalse();
    assertThat(waiters.unserved()).containsExactly(waiter);

    waiter.served = true;
    assertThat(waiters.served(waiter, true)).isTrue();
    assertThat(waiters.all()).isEmpty();
  }
}
