/** Tests of the packed application in {@code server/target/kairos}. */
@NullMarked
package io.kairos.server.dist;

import org.jspecify.annotations.NullMarked;
