/** Schedules of other systems, read from where they keep them, in our words. */
@NullMarked
package io.kairos.cli.imports;

import org.jspecify.annotations.NullMarked;
