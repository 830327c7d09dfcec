package io.kairos.simulator.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.engine.loop.Loop;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.StepActivity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class KernelTest {
  private static final long SECOND = 1_000_000_000;

  private final List<String> seen = new ArrayList<>();

  @Test
  void time_passes_only_when_everybody_waits_and_then_at_once() {
    Kernel kernel =
        run(k -> {
          k.spawn(
              "sleeper",
              new FiberGroup("p"),
              () -> {
                k.sleep(3_600 * SECOND);
                seen.add("woke at " + k.nowNanos() / SECOND);
              });
          k.runUntil(7_200 * SECOND);
          seen.add("ended at " + k.nowNanos() / SECOND);
        });

    assertThat(kernel.failure()).isNull();
    assertThat(seen).containsExactly("woke at 3600", "ended at 7200");
  }

  @Test
  void steps_are_driven_by_the_production_loop_on_the_virtual_clock() {
    Kernel kernel =
        run(k -> {
          Step step = step(() -> seen.add("at " + k.nowNanos() / SECOND), Duration.ofSeconds(2));
          Loop loop =
              new Loop(
                  StepActivity.serving(step, new VirtualWakeup(k)),
                  VirtualClock.monotonic(k),
                  thrown -> {}); // the kernel kills what still waits at its end
          k.spawn("loop", new FiberGroup("p"), loop);
          k.runUntil(7 * SECOND);
        });

    assertThat(kernel.failure()).isNull();
    assertThat(seen).containsExactly("at 0", "at 2", "at 4", "at 6");
  }

  @Test
  void a_signal_cuts_a_wait_short_and_one_that_comes_early_is_kept() {
    run(k -> {
      VirtualWakeup wakeup = new VirtualWakeup(k);
      k.spawn(
          "waiter",
          new FiberGroup("p"),
          () -> {
            wakeup.await(Duration.ofSeconds(10));
            seen.add("cut short at " + k.nowNanos() / SECOND);
            k.sleep(5 * SECOND);
            wakeup.await(Duration.ofSeconds(10));
            seen.add("kept at " + k.nowNanos() / SECOND);
            wakeup.await(Duration.ofSeconds(10));
            seen.add("timed out at " + k.nowNanos() / SECOND);
          });
      k.after(3 * SECOND, wakeup::signal);
      k.after(4 * SECOND, wakeup::signal);
      k.runUntil(60 * SECOND);
    });

    assertThat(seen).containsExactly("cut short at 3", "kept at 8", "timed out at 18");
  }

  @Test
  void what_happens_at_the_same_moment_happens_in_an_order_that_the_seed_decides() {
    List<List<String>> orders = new ArrayList<>();
    for (long seed = 0; seed < 20; seed++) {
      seen.clear();
      run(
          seed,
          k -> {
            for (String name : List.of("a", "b", "c", "d")) {
              k.spawn(name, new FiberGroup(name), () -> seen.add(name));
            }
            k.runUntil(1);
          });
      orders.add(List.copyOf(seen));
    }

    assertThat(orders.stream().distinct().count()).isGreaterThan(5);
    assertThat(orders).allSatisfy(order -> assertThat(order).contains("a", "b", "c", "d"));
  }

  @Test
  void a_frozen_process_goes_on_later_while_the_others_go_on_now() {
    run(k -> {
      FiberGroup frozen = new FiberGroup("frozen");
      k.spawn("f", frozen, () -> wakeAt(k, 2));
      k.spawn("o", new FiberGroup("other"), () -> wakeAt(k, 2));
      k.after(SECOND, () -> frozen.freezeUntil(9 * SECOND));
      k.runUntil(20 * SECOND);
    });

    assertThat(seen).containsExactly("o at 2", "f at 9");
  }

  private void wakeAt(Kernel kernel, int seconds) {
    Fiber self = kernel.running();
    kernel.sleep(seconds * SECOND);
    seen.add(self + " at " + kernel.nowNanos() / SECOND);
  }

  @Test
  void a_killed_fiber_is_unwound_where_it_waits_and_runs_nothing_more() {
    Kernel kernel =
        run(k -> {
          Fiber victim =
              k.spawn(
                  "victim",
                  new FiberGroup("p"),
                  () -> {
                    try {
                      k.sleep(10 * SECOND);
                      seen.add("survived");
                    } finally {
                      seen.add("unwound at " + k.nowNanos() / SECOND);
                    }
                  });
          k.after(2 * SECOND, () -> k.kill(victim));
          k.runUntil(20 * SECOND);
          seen.add(victim.finished ? "finished" : "lives");
        });

    assertThat(kernel.failure()).isNull();
    assertThat(seen).containsExactly("unwound at 2", "finished");
  }

  @Test
  void a_completion_must_not_wait() {
    Kernel kernel =
        run(k -> {
          k.completeAfter(SECOND, () -> k.sleep(1));
          k.runUntil(2 * SECOND);
        });

    assertThat(kernel.failure()).hasMessageContaining("must neither block");
  }

  @Test
  void an_exception_of_a_fiber_ends_the_run() {
    Kernel kernel =
        run(k -> {
          k.spawn(
              "f",
              new FiberGroup("p"),
              () -> {
                throw new IllegalArgumentException("thrown by f");
              });
          k.runUntil(SECOND);
        });

    assertThat(kernel.failure()).hasMessageContaining("f died").hasRootCauseMessage("thrown by f");
  }

  private static Step step(Runnable body, Duration pause) {
    return Step.of(
        "toy",
        () -> {
          body.run();
          return NextRound.after(pause);
        });
  }

  private static Kernel run(Consumer<Kernel> program) {
    return run(1, program);
  }

  /** Runs the program as the kernel's driver, to its end. */
  private static Kernel run(long seed, Consumer<Kernel> program) {
    CountDownLatch ended = new CountDownLatch(1);
    List<Kernel> self = new ArrayList<>();
    Kernel kernel =
        new Kernel(
            new SplittableRandom(seed),
            () -> {
              try {
                program.accept(self.getFirst());
              } finally {
                self.getFirst().killAll();
                ended.countDown();
              }
            });
    self.add(kernel);
    kernel.start();
    try {
      assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return kernel;
  }
}
