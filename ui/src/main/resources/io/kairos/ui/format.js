// How numbers, times and texts are written.

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** @param {unknown} value a number of the API: 64-bit ones are text there @returns {number} 0 when it is absent */
export function number(value) {
  return Number(value ?? 0);
}

/**
 * A count, such as 1,204; an estimate is "about 1,200".
 *
 * @param {unknown} value
 * @param {boolean} [estimated]
 */
export function count(value, estimated = false) {
  return estimated ? `about ${WHOLE.format(Number(number(value).toPrecision(2)))}` : WHOLE.format(number(value));
}

/** "1 task", "2 tasks". @param {unknown} value @param {string} one @param {string} [many] */
export function counted(value, one, many = `${one}s`) {
  return `${count(value)} ${number(value) === 1 ? one : many}`;
}

/** A rate or load with three digits. @param {number} value */
export function decimal(value) {
  return SHORT.format(value);
}

/** @param {unknown} value a duration of the API, such as "1.5s" @returns {number | undefined} seconds */
export function seconds(value) {
  return typeof value === 'string' ? Number.parseFloat(value) : undefined;
}

/**
 * A time that passes, such as 340 ms, 1.5 s, 3 min 20 s, 2 h 5 min, 3 d 4 h.
 *
 * @param {number | string | undefined | null} value seconds, or a duration of the API
 */
export function duration(value) {
  const given = typeof value === 'string' ? seconds(value) : value;
  if (given === undefined || given === null || Number.isNaN(given)) return '–';
  const sign = given < 0 ? '−' : '';
  const all = Math.abs(given);
  if (all === 0) return '0 s';
  if (all < 0.001) return `${sign}${SHORT.format(all * 1e6)} µs`;
  if (all < 0.9995) return `${sign}${SHORT.format(all * 1000)} ms`;
  if (all < 59.95) return `${sign}${SHORT.format(all)} s`;
  const whole = Math.round(all);
  if (whole < 3600) return sign + pair(whole, 60, 'min', 1, 's');
  if (whole < 86_400) return sign + pair(whole, 3600, 'h', 60, 'min');
  return sign + pair(whole, 86_400, 'd', 3600, 'h');
}

/** @param {number} all @param {number} big @param {string} bigName @param {number} small @param {string} smallName */
function pair(all, big, bigName, small, smallName) {
  const rest = Math.floor((all % big) / small);
  return `${WHOLE.format(Math.floor(all / big))} ${bigName}` + (rest ? ` ${rest} ${smallName}` : '');
}

/** @param {unknown} value */
export function bytes(value) {
  const all = number(value);
  if (all < 1024) return `${all} B`;
  const unit = all < 1024 ** 2 ? 'KiB' : all < 1024 ** 3 ? 'MiB' : 'GiB';
  return `${SHORT.format(all / 1024 ** (unit === 'KiB' ? 1 : unit === 'MiB' ? 2 : 3))} ${unit}`;
}

/** @param {number} value */
function two(value) {
  return String(value).padStart(2, '0');
}

const ZONE = new Intl.DateTimeFormat('en', { timeZoneName: 'short' });

/** @param {Date} at */
function zone(at) {
  return ZONE.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value ?? '';
}

/**
 * A point in time, local with its zone: 2026-11-26 18:04:11 GMT+1; of today without the date unless full is true.
 *
 * @param {string | Date | undefined} value
 * @param {{full?: boolean}} [options]
 */
export function when(value, { full = false } = {}) {
  if (!value) return '–';
  const at = new Date(value);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  const today = !full && at.toDateString() === new Date().toDateString();
  return today ? `${time} ${zone(at)}` : `${day} ${time} ${zone(at)}`;
}

/** A point in time in UTC: 2026-11-26 17:04:11.123 UTC. @param {string | Date | undefined} value */
export function utc(value) {
  return value ? `${new Date(value).toISOString().replace('T', ' ').replace('Z', '')} UTC` : '';
}

/** The hour and minute, local. @param {string | Date} value */
export function clock(value) {
  const at = new Date(value);
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Month and day, local: 11-26. @param {string | Date} value */
export function day(value) {
  const at = new Date(value);
  return `${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/**
 * The distance from now, such as "3 min ago" or "in 2 h".
 *
 * @param {string | Date | undefined} value
 * @param {number} now milliseconds, by the clock of the node that gave the value
 */
export function relative(value, now) {
  if (!value) return '–';
  const ahead = Math.round((new Date(value).getTime() - now) / 1000);
  if (Math.abs(ahead) < 1) return 'now';
  const text = rough(Math.abs(ahead));
  return ahead > 0 ? `in ${text}` : `${text} ago`;
}

/** A time that passes, in one unit, or two near the start of one: 45 s, 1 min 5 s, 6 min. @param {number} all seconds */
function rough(all) {
  const unit = all < 120 ? 1 : all < 7200 ? 60 : all < 172_800 ? 3600 : 86_400;
  return duration(Math.floor(all / unit) * unit);
}

/** The value of an input of the type datetime-local. @param {string | Date | undefined | null} value */
export function localInput(value) {
  if (!value) return '';
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? '' : new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The time of such an input, for the API; empty for none. @param {string | undefined | null} value */
export function fromInput(value) {
  const at = value ? new Date(value) : undefined;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : '';
}

// Control characters, those that turn the direction of the text around, and others that are not seen, except tab and the ends of lines.
const INVISIBLE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]/gu;

/**
 * A foreign text with its invisible characters shown, so that a name cannot look like another: U+202E becomes ‹U+202E›.
 *
 * @param {unknown} value
 */
export function plain(value) {
  return String(value ?? '').replace(INVISIBLE, (each) => `‹U+${(each.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`);
}

/**
 * The text of an error without its class at the beginning, where the class is shown beside it.
 *
 * @param {unknown} error
 * @param {unknown} errorClass
 */
export function message(error, errorClass) {
  const text = plain(error);
  const begin = `${plain(errorClass)}: `;
  return errorClass && text.startsWith(begin) ? text.slice(begin.length) : text;
}
