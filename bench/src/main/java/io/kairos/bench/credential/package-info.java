/**
 * Certificates, tokens, keys of an issuer and encryption keys that are replaced while nodes,
 * clients and workers use them.
 */
@NullMarked
package io.kairos.bench.credential;

import org.jspecify.annotations.NullMarked;
