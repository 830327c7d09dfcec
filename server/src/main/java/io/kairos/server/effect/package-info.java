/** Does outside what the actions of a replicated cron want of it. */
@NullMarked
package io.kairos.server.effect;

import org.jspecify.annotations.NullMarked;
