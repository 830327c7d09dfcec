/** The services of tasks: requests checked and translated, answers translated back. */
@NullMarked
package io.kairos.edge.task;

import org.jspecify.annotations.NullMarked;
