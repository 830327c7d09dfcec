/** {@code bench attack}: hostile clients against one node, and a normal client beside them. */
@NullMarked
package io.kairos.bench.attack;

import org.jspecify.annotations.NullMarked;
