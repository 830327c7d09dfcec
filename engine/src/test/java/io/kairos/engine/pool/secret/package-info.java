@NullMarked
package io.kairos.engine.pool.secret;

import org.jspecify.annotations.NullMarked;
