/** Dead letters, read from their topics on request, and published again. */
@NullMarked
package io.kairos.engine.delay.letter;

import org.jspecify.annotations.NullMarked;
