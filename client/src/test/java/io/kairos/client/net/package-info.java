@NullMarked
package io.kairos.client.net;

import org.jspecify.annotations.NullMarked;
