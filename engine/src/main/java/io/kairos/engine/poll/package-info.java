/** Polls from outside, which make a node look for due work. */
@NullMarked
package io.kairos.engine.poll;

import org.jspecify.annotations.NullMarked;
