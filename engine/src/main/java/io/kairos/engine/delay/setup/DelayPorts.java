package io.kairos.engine.delay.setup;

import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.loop.WakeupFactory;
import io.kairos.engine.time.MonotonicClock;
import io.kairos.engine.trace.MessageSpans;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Ports of a delay node, except those of its life.
 *
 * @param pollJitter random waits between zero and the configured jitter
 * @param spans {@link MessageSpans#NONE} for nodes without traces
 */
public record DelayPorts(
    MessageStore messages,
    AmendmentStore amendments,
    Publisher publisher,
    InstantSource clock,
    MonotonicClock monotonic,
    WakeupFactory wakeups,
    Supplier<Duration> pollJitter,
    DelayEvents events,
    MessageSpans spans) {
  /** Ports of a node without traces. */
  public DelayPorts(
      MessageStore messages,
      AmendmentStore amendments,
      Publisher publisher,
      InstantSource clock,
      MonotonicClock monotonic,
      WakeupFactory wakeups,
      Supplier<Duration> pollJitter,
      DelayEvents events) {
    this(
        messages,
        amendments,
        publisher,
        clock,
        monotonic,
        wakeups,
        pollJitter,
        events,
        MessageSpans.NONE);
  }
}
