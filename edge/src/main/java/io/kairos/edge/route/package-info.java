/** Calls about the delay queue as operators see it: routes, messages, dead letters. */
@NullMarked
package io.kairos.edge.route;

import org.jspecify.annotations.NullMarked;
