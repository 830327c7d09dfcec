package io.kairos.domain.task.graph;

import io.kairos.domain.task.TaskId;

/** The successor waits for the end of the predecessor. */
public record GraphEdge(TaskId predecessor, TaskId successor, OnFailure onFailure) {}
