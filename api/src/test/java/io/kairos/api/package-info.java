/** What is checked of the wire contract. */
@NullMarked
package io.kairos.api;

import org.jspecify.annotations.NullMarked;
