// Rules that need no page: of local days, of bounds, of traces, and of what is known of a fire. Their tests are in ui/src/test.
import { seconds } from './format.js';

const DAY_MILLIS = 86_400_000;
/** Decided later than this, a fire time was missed: the catch-up policy decides about it. */
export const LATE_SECONDS = 10;

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

/**
 * The filter that keeps an action to what was there at the time of the dry run.
 *
 * @param {string} verb @param {Record<string, unknown>} filter @param {string} at the time of the dry run; empty for the first
 */
export function bounded(verb, filter, at) {
  if (!at) return filter;
  if (verb !== 'redrive') return { ...filter, acceptedUntil: at };
  const own = String(filter.endedBefore ?? '');
  return { ...filter, endedBefore: own && Date.parse(own) < Date.parse(at) ? own : at };
}

const TRACE_ID = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/** @param {string | undefined} traceparent a W3C trace context @returns {string} the id of its trace; empty for none */
export function traceIdOf(traceparent) {
  return TRACE_ID.exec(traceparent ?? '')?.[1] ?? '';
}

/**
 * The page of a trace, in a program that keeps traces.
 *
 * @param {string | undefined} template URL with {trace_id} in it
 * @param {string} id of the trace
 * @returns {string} empty for none; only pages have URLs of http, scripts have others
 */
export function traceUrl(template, id) {
  return id && /^https?:\/\//.test(template ?? '') ? String(template).replaceAll('{trace_id}', id) : '';
}

/** @typedef {'unfinished' | 'failed'} TaskEnd what is known of the task of a fire */

/**
 * What is known of the tasks of fires: those that are unfinished or have failed, by id. Of tasks whose ids, which grow with time,
 * are less than `since` nothing is known; it is empty when all are known.
 *
 * @typedef {{tasks: Map<string, TaskEnd>, since: string}} Ends
 */

/** Nothing is known. @type {Ends} */
export const NO_ENDS = { tasks: new Map(), since: 'g' };

/** @param {any} fire @param {Ends} ends @returns {string} a kind of cell */
export function kindOf(fire, ends) {
  if (fire.decision === 'SKIPPED') return 'skipped';
  const task = ends.tasks.get(fire.executionId);
  if (task) return task === 'failed' ? 'failed' : 'running';
  if (isLate(fire)) return 'late';
  return fire.executionId && fire.executionId < ends.since ? 'unknown' : 'fired';
}

/** Triggers and backfills are of the past on purpose, so they are never late. @param {any} fire */
export function isLate(fire) {
  return (fire.cause ?? 'SCHEDULE') === 'SCHEDULE' && (seconds(fire.late) ?? 0) > LATE_SECONDS;
}

/**
 * Asks for page after page while there are more and none has found anything: one call examines a bounded number of tasks.
 *
 * @param {(token: string) => Promise<any>} ask for a page; the first has no token
 * @param {(empty: any, calls: number) => boolean} goesOn whether to ask further after so many calls; it gets the last page
 * @returns {Promise<any>} the last page, and whether that took several calls
 */
export async function firstFound(ask, goesOn) {
  let page = await ask('');
  let calls = 1;
  while (!page.tasks?.length && page.nextPageToken && goesOn(page, calls)) {
    page = await ask(page.nextPageToken);
    calls++;
  }
  return { ...page, wentOn: calls > 1 };
}
