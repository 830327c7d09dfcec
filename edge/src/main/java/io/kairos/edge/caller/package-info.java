/** Who calls: callers, their credentials, their roles, and the names that they may use. */
@NullMarked
package io.kairos.edge.caller;

import org.jspecify.annotations.NullMarked;
