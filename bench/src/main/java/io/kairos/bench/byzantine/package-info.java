/** A replica that lies, and the demo of it: in no package of Kairos. */
@NullMarked
package io.kairos.bench.byzantine;

import org.jspecify.annotations.NullMarked;
