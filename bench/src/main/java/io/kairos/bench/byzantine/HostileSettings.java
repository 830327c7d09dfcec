package io.kairos.bench.byzantine;

import java.util.List;

/**
 * Settings of a {@link HostileMain}. Keys and certificates are files.
 *
 * @param ports where the replicas of this machine listen for each other, by their numbers
 */
record HostileSettings(
    int number,
    String cluster,
    List<Integer> ports,
    String signingKey,
    List<String> publicKeys,
    String tlsKey,
    String tlsChain,
    String tlsTrusted) {}
