/**
 * Encryption of payloads, results and error texts in the application, so that nodes, database and
 * broker never see them in plain text.
 */
@NullMarked
package io.kairos.client.encryption;

import org.jspecify.annotations.NullMarked;
