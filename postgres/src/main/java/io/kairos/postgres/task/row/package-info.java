/** Columns and row locks that several statements on tasks share. */
@NullMarked
package io.kairos.postgres.task.row;

import org.jspecify.annotations.NullMarked;
