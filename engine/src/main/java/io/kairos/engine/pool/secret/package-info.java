/** Encryption of the secrets that the store keeps. */
@NullMarked
package io.kairos.engine.pool.secret;

import org.jspecify.annotations.NullMarked;
