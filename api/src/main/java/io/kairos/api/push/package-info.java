/** What an HTTP push carries beside its body: headers, and the signature of Standard Webhooks. */
@NullMarked
package io.kairos.api.push;

import org.jspecify.annotations.NullMarked;
