/** Reserved pages: the state of a replica that survives restarts and travels in snapshots. */
@NullMarked
package io.kairos.domain.page;

import org.jspecify.annotations.NullMarked;
