/** The PEM files of a side of TLS, as they are read, checked and watched. */
@NullMarked
package io.kairos.api.tls;

import org.jspecify.annotations.NullMarked;
