/** The delay queue's ports on Postgres; each statement is a file of the same folder. */
@NullMarked
package io.kairos.postgres.delay;

import org.jspecify.annotations.NullMarked;
