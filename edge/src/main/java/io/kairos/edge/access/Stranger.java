package io.kairos.edge.access;

/**
 * Whoever calls without a known token where callers are configured. One address may have a quarter
 * of a {@link CallerBudget}, and all strangers together half, so that many addresses leave room for
 * those who are known.
 *
 * @param address from which the calls come
 */
record Stranger(String address) {}
