package io.kairos.client.schedule;

/**
 * A business calendar: named open and closed times that schedules share.
 *
 * @param rules rules, one per line; empty in lists
 * @param generation grows with each change
 */
public record BusinessCalendar(String name, String rules, long generation) {}
