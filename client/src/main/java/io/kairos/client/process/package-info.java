/** Process mode: the controller of executors that are separate processes, in any language. */
@NullMarked
package io.kairos.client.process;

import org.jspecify.annotations.NullMarked;
