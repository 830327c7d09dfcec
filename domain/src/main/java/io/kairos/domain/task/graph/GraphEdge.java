package io.kairos.domain.task.graph;

import io.kairos.domain.task.TaskId;

/**
 * The successor waits for the end of the predecessor.
 *
 * @param predecessor a task, or {@linkplain io.kairos.domain.task.batch.BatchId#asPredecessor a
 *     batch}
 */
public record GraphEdge(TaskId predecessor, TaskId successor, OnFailure onFailure) {}
