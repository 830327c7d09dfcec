/**
 * The concepts of Kairos and their changes: pure code without I/O, clocks, threads or libraries.
 */
@NullMarked
package io.kairos.domain;

import org.jspecify.annotations.NullMarked;
