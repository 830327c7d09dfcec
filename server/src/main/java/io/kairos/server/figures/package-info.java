/** Figures of this node that it shares with the others. */
@NullMarked
package io.kairos.server.figures;

import org.jspecify.annotations.NullMarked;
