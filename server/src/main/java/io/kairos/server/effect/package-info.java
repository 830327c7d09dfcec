/** Executes the effects of a replicated cron: calls of nodes and pushes. */
@NullMarked
package io.kairos.server.effect;

import org.jspecify.annotations.NullMarked;
