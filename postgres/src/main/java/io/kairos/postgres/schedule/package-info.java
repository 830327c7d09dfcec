/** Schedules, their ledger and their calendars on Postgres. */
@NullMarked
package io.kairos.postgres.schedule;

import org.jspecify.annotations.NullMarked;
