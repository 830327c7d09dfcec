/** Who is alive, on the table {@code node}; each statement is a file of the same folder. */
@NullMarked
package io.kairos.postgres.node;

import org.jspecify.annotations.NullMarked;
