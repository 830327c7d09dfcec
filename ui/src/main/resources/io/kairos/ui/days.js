// Local days: of 23, 24 or 25 hours, by when clocks change.

const DAY_MILLIS = 86_400_000;

/** @param {Date} date @returns {string} its local day, such as 2026-11-26 */
export function dayOf(date) {
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
}

/** Local midnight, some days later. @param {Date} date @param {number} days */
export function plusDays(date, days) {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);
}

/**
 * Splits days into ranges that each begin at local midnight, and whose parts of 24 hours each lie within one local day: a range
 * ends with the day on which clocks change.
 *
 * @param {Date} from local midnight
 * @param {number} days
 * @returns {[Date, Date][]} begin and end of each
 */
export function evenRanges(from, days) {
  /** @type {[Date, Date][]} */
  const ranges = [];
  let start = from;
  for (let at = 1; at <= days; at++) {
    const end = plusDays(from, at);
    if (at < days && end.getTime() - plusDays(from, at - 1).getTime() === DAY_MILLIS) continue;
    ranges.push([start, end]);
    start = end;
  }
  return ranges;
}
