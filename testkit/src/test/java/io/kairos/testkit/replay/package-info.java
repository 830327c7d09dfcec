/** Modules that are not deterministic are caught, one for each way not to be. */
@NullMarked
package io.kairos.testkit.replay;

import org.jspecify.annotations.NullMarked;
