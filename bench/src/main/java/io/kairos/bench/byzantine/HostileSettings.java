package io.kairos.bench.byzantine;

import io.kairos.contracts.certificate.ReplicaFiles;
import java.util.List;

/**
 * Settings of a {@link HostileMain}.
 *
 * @param ports where the replicas of this machine listen for each other, by their numbers
 * @param keys of all replicas
 */
record HostileSettings(
    int number, String cluster, List<Integer> ports, ReplicaFiles keys, long seed) {}
