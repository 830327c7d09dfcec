package io.kairos.bench.fault;

import io.kairos.bench.delay.Progress;
import io.kairos.bench.rig.NodeSettings;
import io.kairos.bench.rig.PackagedNode;
import io.kairos.bench.rig.Workplace;
import java.time.Duration;

/**
 * What a fault is given.
 *
 * @param warmup load before something goes away: what a young node compiles is not what an outage
 *     costs
 * @param outage how long something is away
 * @param rounds how often it happens to workers, or to nodes that fire schedules
 */
record FaultContext(
    Workplace workplace,
    PackagedNode server,
    NodeSettings settings,
    Scene.Load load,
    int partitions,
    Duration warmup,
    Duration outage,
    int rounds,
    Progress progress) {}
