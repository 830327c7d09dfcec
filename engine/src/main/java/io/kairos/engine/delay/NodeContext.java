package io.kairos.engine.delay;

import io.kairos.engine.node.Membership;
import io.kairos.engine.time.Monotonic;
import java.time.InstantSource;

/** What every step of a node shares: who it is, what it holds, what time it is, and who listens. */
record NodeContext(
    DelayConfig config,
    Routes routes,
    Membership membership,
    Holding holding,
    InstantSource clock,
    Monotonic monotonic,
    DelayEvents events) {}
