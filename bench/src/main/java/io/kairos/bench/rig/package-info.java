/**
 * The measured system: Postgres, broker and nodes, each in its own process, started and stopped by
 * the bench.
 */
@NullMarked
package io.kairos.bench.rig;

import org.jspecify.annotations.NullMarked;
