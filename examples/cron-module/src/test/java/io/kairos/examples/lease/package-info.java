/** The module's behaviour, and that it is deterministic. */
@NullMarked
package io.kairos.examples.lease;

import org.jspecify.annotations.NullMarked;
