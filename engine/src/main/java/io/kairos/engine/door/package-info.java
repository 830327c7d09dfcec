/** Delayed messages that become tasks. */
@NullMarked
package io.kairos.engine.door;

import org.jspecify.annotations.NullMarked;
