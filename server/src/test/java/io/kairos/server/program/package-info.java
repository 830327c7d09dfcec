/** Programs of other packages that some tests run. */
@NullMarked
package io.kairos.server.program;

import org.jspecify.annotations.NullMarked;
