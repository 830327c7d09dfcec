@NullMarked
package io.kairos.postgres;

import org.jspecify.annotations.NullMarked;
