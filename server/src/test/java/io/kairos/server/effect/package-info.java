@NullMarked
package io.kairos.server.effect;

import org.jspecify.annotations.NullMarked;
