/**
 * The claimed messages of the delay queue in a node's memory, all of it rebuildable from the store.
 */
@NullMarked
package io.kairos.engine.delay.memory;

import org.jspecify.annotations.NullMarked;
