/**
 * The measured system: Postgres, broker and nodes, each a process of its own, all started and
 * stopped by the bench.
 */
@NullMarked
package io.kairos.bench.rig;

import org.jspecify.annotations.NullMarked;
