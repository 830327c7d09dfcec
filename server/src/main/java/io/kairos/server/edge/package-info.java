/** The node's HTTP edge. Knows no adapter; what it shows is handed in. */
@NullMarked
package io.kairos.server.edge;

import org.jspecify.annotations.NullMarked;
