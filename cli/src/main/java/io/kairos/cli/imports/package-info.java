/** Reads the schedules of other systems, and converts them to schedules of Kairos. */
@NullMarked
package io.kairos.cli.imports;

import org.jspecify.annotations.NullMarked;
