/** TLS of the HTTP edge: its key pair, the clients that it trusts, and their replacement. */
@NullMarked
package io.kairos.edge.tls;

import org.jspecify.annotations.NullMarked;
