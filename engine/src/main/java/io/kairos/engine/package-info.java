/** The steps that make it happen (intake, fire, reap) and the ports they need. */
@NullMarked
package io.kairos.engine;

import org.jspecify.annotations.NullMarked;
