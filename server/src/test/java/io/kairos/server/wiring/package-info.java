@NullMarked
package io.kairos.server.wiring;

import org.jspecify.annotations.NullMarked;
