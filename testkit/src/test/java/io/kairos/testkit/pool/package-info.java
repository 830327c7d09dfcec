@NullMarked
package io.kairos.testkit.pool;

import org.jspecify.annotations.NullMarked;
