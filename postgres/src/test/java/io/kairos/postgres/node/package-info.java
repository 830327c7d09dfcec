@NullMarked
package io.kairos.postgres.node;

import org.jspecify.annotations.NullMarked;
