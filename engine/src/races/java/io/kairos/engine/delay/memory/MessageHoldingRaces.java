package io.kairos.engine.delay.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.memory.MessageHolding.Launch;
import io.kairos.engine.delay.memory.MessageHolding.Withdrawal;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.setup.DelayConfig;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The steps of a node and the publisher's threads, two at a time, on what the node holds in memory.
 * What no outcome names is forbidden.
 */
public final class MessageHoldingRaces {
  private static final long DUE_MICROS = 1;
  private static final int MANY = 100;
  private static final DelayConfig CONFIG = MessageHoldingTest.config(MANY, 1 << 20, 1);
  private static final ClaimedMessage FIRST = MessageHoldingTest.claimed("a", DUE_MICROS, 0);
  private static final ClaimedMessage SECOND = MessageHoldingTest.claimed("b", DUE_MICROS, 0);

  private MessageHoldingRaces() {}

  /** One message at a time is in flight. */
  abstract static class Holding {
    private final MessageHolding holding = MessageHoldingTest.holding(CONFIG);

    Holding() {
      holding.open(MessageHoldingTest.ME, 0);
      holding.partitions(new TopicName("out"), 1);
    }

    final MessageHolding holding() {
      return holding;
    }

    final void hold(ClaimedMessage message) {
      holding.add(MessageHoldingTest.ME, List.of(message));
    }

    final List<Launch> launch() {
      return holding.launches(DUE_MICROS, MANY, 0);
    }
  }

  /** A message is amended when it is due. */
  @JCStressTest
  @Outcome(id = "1, 0, 1, 1", expect = ACCEPTABLE, desc = "Its firing has begun.")
  @Outcome(id = "0, 1, 0, 0", expect = ACCEPTABLE, desc = "It is taken out to be amended.")
  @State
  public static class LaunchAndWithdraw extends Holding {
    public LaunchAndWithdraw() {
      hold(FIRST);
    }

    @Actor
    public void fire(IIII_Result result) {
      result.r1 = launch().size();
    }

    @Actor
    public void amend(IIII_Result result) {
      result.r2 = holding().withdraw(FIRST) instanceof Withdrawal.Withdrawn ? 1 : 0;
    }

    @Arbiter
    public void after(IIII_Result result) {
      result.r3 = holding().counts().messages();
      result.r4 = holding().counts().inFlight();
    }
  }

  /** The broker answers while the step looks for more to send. */
  @JCStressTest
  @Outcome(id = "1, 2, 0", expect = ACCEPTABLE, desc = "The second is sent once, when it fits.")
  @State
  public static class LandAndLaunch extends Holding {
    private final Launch first;
    private int launched;

    public LandAndLaunch() {
      hold(FIRST);
      hold(SECOND);
      first = launch().getFirst();
    }

    @Actor
    public void publisher() {
      holding().landed(first);
    }

    @Actor
    public void fire() {
      launched = land(launch());
    }

    private int land(List<Launch> launches) {
      launches.forEach(launch -> holding().landed(launch));
      return launches.size();
    }

    @Arbiter
    public void after(III_Result result) {
      result.r1 = launched + land(launch());
      result.r2 = holding().counts().messages();
      result.r3 = holding().counts().inFlight() + holding().counts().queued();
    }
  }

  /** The broker does not answer, and the life of the node ends. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Nothing is held, nothing is in flight.")
  @State
  public static class FailAndClose extends Holding {
    private final Launch first;

    public FailAndClose() {
      hold(FIRST);
      first = launch().getFirst();
    }

    @Actor
    public void publisher() {
      holding().failed(first, 0);
    }

    @Actor
    public void fence() {
      holding().close();
    }

    @Arbiter
    public void after(III_Result result) {
      result.r1 = holding().counts().messages();
      result.r2 = holding().counts().queued();
      result.r3 = holding().counts().inFlight();
    }
  }
}
