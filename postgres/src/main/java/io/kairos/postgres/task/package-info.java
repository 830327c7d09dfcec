/** The task store on Postgres; each statement is a file of the same folder. */
@NullMarked
package io.kairos.postgres.task;

import org.jspecify.annotations.NullMarked;
