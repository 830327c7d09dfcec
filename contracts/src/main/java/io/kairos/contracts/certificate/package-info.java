/** Keys and certificates for the tests of TLS. */
@NullMarked
package io.kairos.contracts.certificate;

import org.jspecify.annotations.NullMarked;
