/** What this node tells the others of itself. */
@NullMarked
package io.kairos.server.figures;

import org.jspecify.annotations.NullMarked;
