@NullMarked
package io.kairos.client.handler;

import org.jspecify.annotations.NullMarked;
