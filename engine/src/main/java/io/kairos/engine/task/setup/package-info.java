/** Settings, ports and listeners of a node's tasks. */
@NullMarked
package io.kairos.engine.task.setup;

import org.jspecify.annotations.NullMarked;
