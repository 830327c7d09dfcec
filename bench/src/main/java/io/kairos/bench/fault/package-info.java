/**
 * Faults while messages flow: of nodes, Postgres, brokers and the disk. The observer accounts for
 * every message.
 */
@NullMarked
package io.kairos.bench.fault;

import org.jspecify.annotations.NullMarked;
