/** Explores what threads may do to each other in the engine. */
@NullMarked
package io.kairos.engine;

import org.jspecify.annotations.NullMarked;
