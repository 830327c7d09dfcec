/** Where the delay queue and the tasks meet. */
@NullMarked
package io.kairos.engine.door;

import org.jspecify.annotations.NullMarked;
