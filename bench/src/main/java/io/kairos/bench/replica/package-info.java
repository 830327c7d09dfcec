/** {@code bench replica}: what replicated cron costs, and how it comes through faults. */
@NullMarked
package io.kairos.bench.replica;

import org.jspecify.annotations.NullMarked;
