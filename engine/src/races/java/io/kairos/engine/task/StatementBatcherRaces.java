package io.kairos.engine.task;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.memory.TaskSamples;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Callers of a batcher against each other, its step, and its end. Requests are numbers of items,
 * and each is answered with itself. What no outcome names is forbidden.
 */
public final class StatementBatcherRaces {
  private static final int ROOM = 10;
  private static final int IS_ALL = 1;
  private static final int IS_NOT_ALL = 0;

  private StatementBatcherRaces() {}

  /** A batcher, and what became of its requests. */
  abstract static class Batching {
    private final StatementBatcher<Integer, Integer> batcher =
        new StatementBatcher<>(
            new StatementBatcher.Bounds(ROOM, ROOM, Long.MAX_VALUE, Long.MAX_VALUE),
            Integer::intValue,
            _ -> 0,
            requests -> requests,
            new TaskSamples.Signals());

    final boolean offer(int items, Answers answers) {
      answers.wanted = items;
      return batcher.offer(items, answers);
    }

    final void step() {
      batcher.runOnce();
    }

    final void close() {
      batcher.close();
    }

    final void serveAll() {
      while (!batcher.isEmpty()) {
        batcher.runOnce();
      }
    }

    /** Whether it takes as many items as it has room for, and not one more. */
    final int hasAllItsRoom() {
      Answers ignored = new Answers();
      boolean isAll = offer(1, ignored) && offer(ROOM - 1, ignored) && !offer(1, ignored);
      return isAll ? IS_ALL : IS_NOT_ALL;
    }
  }

  /** How often one request was answered: ones for its own answer, tens for a refusal. */
  static final class Answers implements AnswerCallback<Integer> {
    private static final int REFUSED = 10;
    private static final int OF_ANOTHER = 100;

    private final AtomicInteger sum = new AtomicInteger();
    private int wanted;

    @Override
    public void answered(Integer value) {
      sum.addAndGet(value == wanted ? 1 : OF_ANOTHER);
    }

    @Override
    public void failed(RuntimeException cause) {
      sum.addAndGet(REFUSED);
    }

    int sum() {
      return sum.get();
    }
  }

  /** A caller against the step. */
  @JCStressTest
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "Each is served once, all room is back.")
  @State
  public static class OfferAndStep extends Batching {
    private final Answers first = new Answers();
    private final Answers second = new Answers();

    @Actor
    public void caller() {
      offer(1, first);
      offer(2, second);
    }

    @Actor
    public void loop() {
      step();
      step();
    }

    @Arbiter
    public void after(III_Result result) {
      serveAll();
      result.r1 = first.sum();
      result.r2 = second.sum();
      result.r3 = hasAllItsRoom();
    }
  }

  /** Two callers where there is room for the request of one. */
  @JCStressTest
  @Outcome(id = "1, 0, 1, 1", expect = ACCEPTABLE, desc = "The first alone is taken and served.")
  @Outcome(id = "0, 1, 1, 1", expect = ACCEPTABLE, desc = "The second alone is taken and served.")
  @State
  public static class OfferAndOffer extends Batching {
    private final Answers first = new Answers();
    private final Answers second = new Answers();

    @Actor
    public void one(IIII_Result result) {
      result.r1 = offer(ROOM - 1, first) ? 1 : 0;
    }

    @Actor
    public void other(IIII_Result result) {
      result.r2 = offer(ROOM - 2, second) ? 1 : 0;
    }

    @Arbiter
    public void after(IIII_Result result) {
      serveAll();
      result.r3 = first.sum() + second.sum();
      result.r4 = hasAllItsRoom();
    }
  }

  /** A caller against the end. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "It came before the end, and is served.")
  @Outcome(id = "1, 10", expect = ACCEPTABLE, desc = "It came after the end, and is refused.")
  @State
  public static class OfferAndClose extends Batching {
    private final Answers answers = new Answers();

    @Actor
    public void caller(II_Result result) {
      result.r1 = offer(1, answers) ? 1 : 0;
    }

    @Actor
    public void stop() {
      close();
    }

    @Arbiter
    public void after(II_Result result) {
      serveAll();
      result.r2 = answers.sum();
    }
  }
}
