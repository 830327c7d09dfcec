/**
 * The assembly of a node's life, tasks and schedules from stores, clocks and threads: for the
 * server and for a node inside an application.
 */
@NullMarked
package io.kairos.node;

import org.jspecify.annotations.NullMarked;
