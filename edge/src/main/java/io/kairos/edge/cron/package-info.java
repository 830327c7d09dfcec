/** What operators and clients of a replicated cron call, at the edge of one of its replicas. */
@NullMarked
package io.kairos.edge.cron;

import org.jspecify.annotations.NullMarked;
