/**
 * What breaks while messages flow: nodes, Postgres, brokers, the disk. The observer says what
 * became of every message.
 */
@NullMarked
package io.kairos.bench.fault;

import org.jspecify.annotations.NullMarked;
