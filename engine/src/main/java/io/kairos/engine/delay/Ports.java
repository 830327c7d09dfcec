package io.kairos.engine.delay;

import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.loop.Wakeups;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Everything that a delay node needs from outside, beside its life.
 *
 * @param pollJitter a random wait between zero and the configured jitter (CH-30)
 */
public record Ports(
    MessageStore messages,
    AmendmentStore amendments,
    Publisher publisher,
    InstantSource clock,
    Monotonic monotonic,
    Wakeups wakeups,
    Supplier<Duration> pollJitter,
    DelayEvents events) {}
