/** Headers of an HTTP push, and the signature of Standard Webhooks. */
@NullMarked
package io.kairos.api.push;

import org.jspecify.annotations.NullMarked;
