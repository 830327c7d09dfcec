@NullMarked
package io.kairos.engine;

import org.jspecify.annotations.NullMarked;
