/** A node's task calls for its edges. */
@NullMarked
package io.kairos.engine.task.edge;

import org.jspecify.annotations.NullMarked;
