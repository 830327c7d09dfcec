/** Texts that people and programs read and write: tables, JSON and YAML. */
@NullMarked
package io.kairos.cli.text;

import org.jspecify.annotations.NullMarked;
