// Schedules: what several screens say about them.
import { html, nothing } from './element.js';
import { plain, when } from './format.js';
import { href, segment } from './link.js';
import { badge, handlerLink } from './part/basic.js';
import { plannedNote } from './part/ledger.js';

/** @type {Record<string, [string, string]>} */
const STATES = {
  ACTIVE: ['good', 'Fires at its next fire time'],
  PAUSED: ['warn', 'Does not fire until somebody resumes it'],
  ENDED: ['off', 'No fire time is left'],
};

/** @param {string} name */
export function scheduleLink(name) {
  return html`<a href=${href(`schedules/${segment(name)}`)}><bdi>${plain(name)}</bdi></a>`;
}

/** @param {any} schedule */
export function scheduleState(schedule) {
  const [kind, title] = STATES[schedule.state] ?? ['off', ''];
  return html`${badge((schedule.state ?? 'unknown').toLowerCase(), kind, title)}${schedule.decider === 'REPLICATED'
    ? html` ${badge('replicated', 'wait', 'Replicas of a replicated cron decide its fire times')}`
    : nothing}`;
}

/** Where its fires go. @param {any} target */
export function targetText(target) {
  if (target?.handler) return html`handler ${handlerLink(target.handler)}`;
  if (target?.pool) return html`pool <a href=${href('pools', { pool: target.pool.name })}><bdi>${plain(target.pool.name)}</bdi></a>`;
  return target?.topic ? html`topic <bdi>${plain(target.topic.name)}</bdi>` : nothing;
}

/** The further tasks of each fire, by their numbers, and what each waits for. @param {any[] | undefined} steps */
export function stepList(steps) {
  if (!steps?.length) return nothing;
  return html`<ol class="steps">
    ${steps.map((step) => {
      const after = (step.after ?? []).map((/** @type {any} */ each) => {
        const what = each.index ? `step ${each.index}` : 'the first task';
        return !each.onFailure || each.onFailure === 'FAIL' ? what : `${what} (on failure ${each.onFailure.toLowerCase()})`;
      });
      return html`<li>${targetText(step.target)} <span class="muted">after ${after.join(', ')}</span></li>`;
    })}
  </ol>`;
}

/**
 * The part of a definition that a preview takes, for the times of the stored schedule. Its name decides what H means in a cron
 * expression.
 *
 * @param {any} schedule
 */
export function forPreview(schedule) {
  const { name, cron, every, delayAfter, at, rrule, timeZone, dst, calendars, startAt, endAt, spread, createdAt } = schedule;
  // These are counted from the creation when they have no start.
  const isCounted = every || rrule || cron?.expression.startsWith('@every');
  const start = startAt ?? (isCounted ? createdAt : undefined);
  return { name, cron, every, delayAfter, at, rrule, timeZone, dst, calendars, startAt: start, endAt, spread };
}

/** @param {any} planned @returns {string} the offset of its local time from UTC */
function offset(planned) {
  return /([+-]\d\d:\d\d|Z)(?:\[|$)/.exec(planned?.localTime ?? '')?.[1] ?? '';
}

/** @param {any} planned @returns {string} its local time, such as 2026-11-26 22:00 +02:00 */
function local(planned) {
  const [, date = '', time = '', zone = ''] = /^([^T]*)T(.*?)([+-]\d\d:\d\d|Z)/.exec(planned.localTime ?? '') ?? [];
  return date ? `${date} ${time} ${zone}` : plain(planned.localTime);
}

/** Planned fire times with what daylight saving time and calendars do to them. @param {any[]} fires */
export function plannedTable(fires) {
  const zone = plain(/\[(.*)\]/.exec(fires[0]?.localTime ?? '')?.[1] ?? 'its zone');
  return html`<table class="fold">
    <thead>
      <tr>
        <th scope="col">Fire time</th>
        <th scope="col">In ${zone}</th>
        <th scope="col">Due</th>
        <th scope="col">Note</th>
      </tr>
    </thead>
    <tbody>
      ${fires.map((fire, at) => {
        const before = offset(fires.slice(0, at).findLast(offset));
        const note = plannedNote(fire);
        const change =
          before && offset(fire) && before !== offset(fire) ? `clocks have changed: UTC ${before} before, ${offset(fire)} now` : '';
        return html`<tr class=${fire.skipped ? 'muted' : ''}>
          <td data-label="Fire time">
            <k-time .value=${fire.fireTime}></k-time> <span class="sub nowrap">${when(fire.fireTime, { full: true })}</span>
          </td>
          <td data-label="In its zone" class="nowrap">${local(fire)}</td>
          <td data-label="Due" class="maybe">
            ${fire.runAt && fire.runAt !== fire.fireTime ? html`<k-time .value=${fire.runAt} exact></k-time>` : nothing}
          </td>
          <td data-label="Note" class="maybe">
            ${fire.skipped ? html`${badge('skipped', 'off')} ` : nothing}${fire.movedFrom || fire.skipped?.startsWith('DST') || change
              ? html`${badge('clock change', 'warn')} `
              : nothing}${note || change
              ? html`<span>${[note.replace(/^skipped: /, ''), change].filter(Boolean).join('; ')}</span>`
              : nothing}
          </td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}
