/**
 * The steps that make it happen, and the ports they need. No I/O, no threads, no clock of its own.
 */
@NullMarked
package io.kairos.engine;

import org.jspecify.annotations.NullMarked;
