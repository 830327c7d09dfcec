/** How options are spelled. */
@NullMarked
package io.kairos.bench.option;

import org.jspecify.annotations.NullMarked;
