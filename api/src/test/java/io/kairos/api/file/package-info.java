@NullMarked
package io.kairos.api.file;

import org.jspecify.annotations.NullMarked;
