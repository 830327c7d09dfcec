/** Types for handlers, the code of an application that performs tasks. */
@NullMarked
package io.kairos.client.handler;

import org.jspecify.annotations.NullMarked;
