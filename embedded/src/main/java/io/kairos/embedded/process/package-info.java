/** Child processes: their signals, logs and ends. */
@NullMarked
package io.kairos.embedded.process;

import org.jspecify.annotations.NullMarked;
