/**
 * What users write to have their own actions and requests in a replicated cron: modules, found by
 * {@link java.util.ServiceLoader}, whose state is in reserved pages.
 */
@NullMarked
package io.kairos.engine.cron.module;

import org.jspecify.annotations.NullMarked;
