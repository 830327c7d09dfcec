/** How a call is refused, the same on every door. */
@NullMarked
package io.kairos.server.edge.refusal;

import org.jspecify.annotations.NullMarked;
