package io.kairos.client.worker;

import io.kairos.client.net.NodeTurns;

/**
 * How a worker reaches its nodes: one link for work, another for heartbeats.
 *
 * @param close ends calls under way
 */
record WorkerLink(WorkerNodeCalls calls, NodeTurns nodes, Runnable close) {}
