@NullMarked
package io.kairos.client.opentelemetry;

import org.jspecify.annotations.NullMarked;
