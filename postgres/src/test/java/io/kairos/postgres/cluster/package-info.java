@NullMarked
package io.kairos.postgres.cluster;

import org.jspecify.annotations.NullMarked;
