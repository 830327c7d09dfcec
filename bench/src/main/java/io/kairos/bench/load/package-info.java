/**
 * The load: messages whose value says when they are due, sent by a schedule that waits for nobody.
 */
@NullMarked
package io.kairos.bench.load;

import org.jspecify.annotations.NullMarked;
