/** Tasks that wait for others: graphs, their edges, and what the end of a task does to them. */
@NullMarked
package io.kairos.domain.task.graph;

import org.jspecify.annotations.NullMarked;
