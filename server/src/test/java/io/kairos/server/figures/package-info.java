@NullMarked
package io.kairos.server.figures;

import org.jspecify.annotations.NullMarked;
