/** Output and input formats: tables, JSON and YAML. */
@NullMarked
package io.kairos.cli.text;

import org.jspecify.annotations.NullMarked;
