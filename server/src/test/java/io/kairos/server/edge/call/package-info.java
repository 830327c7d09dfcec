/** The API as its callers meet it: a whole edge, real clients, and a node of a few lines behind. */
@NullMarked
package io.kairos.server.edge.call;

import org.jspecify.annotations.NullMarked;
