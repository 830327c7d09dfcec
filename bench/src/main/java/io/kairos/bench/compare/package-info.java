/** {@code bench compare}: an earlier commit and this tree, measured in turns. */
@NullMarked
package io.kairos.bench.compare;

import org.jspecify.annotations.NullMarked;
