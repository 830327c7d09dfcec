/** A module of a replicated cron: who may use what, for how long. */
@NullMarked
package io.kairos.examples.lease;

import org.jspecify.annotations.NullMarked;
