/**
 * The simulator tested: its kernel, its verdict on production, and on what is broken on purpose.
 */
@NullMarked
package io.kairos.simulator;

import org.jspecify.annotations.NullMarked;
