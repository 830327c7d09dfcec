/** The figures of all nodes and what waits, and their statements. */
@NullMarked
package io.kairos.postgres.cluster;

import org.jspecify.annotations.NullMarked;
