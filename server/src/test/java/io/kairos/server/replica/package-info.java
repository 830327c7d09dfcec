/** Tests of what the process of a replica is made of. */
@NullMarked
package io.kairos.server.replica;

import org.jspecify.annotations.NullMarked;
