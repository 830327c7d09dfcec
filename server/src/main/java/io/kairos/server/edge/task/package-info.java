/** The services of tasks: requests checked and translated, answers translated back. */
@NullMarked
package io.kairos.server.edge.task;

import org.jspecify.annotations.NullMarked;
