@NullMarked
package io.kairos.server.edge;

import org.jspecify.annotations.NullMarked;
