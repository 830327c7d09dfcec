/** A handler that runs a program for each task. */
@NullMarked
package io.kairos.client.exec;

import org.jspecify.annotations.NullMarked;
