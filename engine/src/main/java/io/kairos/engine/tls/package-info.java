/** Certificates and private keys from PEM files, for whoever speaks TLS. */
@NullMarked
package io.kairos.engine.tls;

import org.jspecify.annotations.NullMarked;
