// The ledger of a schedule as a strip: a cell for each decision, and after them the fire times that are planned.
import { KElement, html, nothing } from '../element.js';
import { count, counted, duration, number, when } from '../format.js';
import { LATE_SECONDS, NO_ENDS, isLate, kindOf } from '../rules.js';
import { badge, word } from './basic.js';

/** Why a fire time was skipped. @type {Record<string, string>} */
export const REASONS = {
  OVERLAP: 'a previous run was unfinished',
  PAUSED: 'the schedule was paused',
  CATCH_UP_NONE: 'it was missed, and missed ones are not caught up',
  SUPERSEDED: 'it was missed, and a later one fired in its place',
  OUTSIDE_WINDOW: 'it was missed by more than the catch-up window',
  CAP: 'more were missed than the catch-up maximum',
  CALENDAR: 'a business calendar excludes it',
  DST_GAP: 'the local time does not exist, clocks go forward',
  DST_OVERLAP: 'the local time exists twice, clocks go back',
  BUFFER_FULL: 'another fire was already waiting',
};

/** A kind of cell: its mark, so that it is not told by colour alone, and what it means. @type {Record<string, [string, string]>} */
const KINDS = {
  fired: ['✓', 'fired'],
  unknown: ['?', 'fired, and how its task goes on is not known here'],
  late: ['!', `fired more than ${LATE_SECONDS} s late`],
  running: ['…', 'fired, and its task is not finished'],
  failed: ['×', 'fired, and its task has failed for good'],
  skipped: ['–', 'skipped'],
  planned: ['○', 'planned'],
  excluded: ['–', 'planned to be skipped'],
};

/** The badge of a decision. @param {any} fire @param {import('../rules.js').Ends} ends */
export function decisionBadge(fire, ends) {
  const kind = kindOf(fire, ends);
  const colour = { fired: 'good', late: 'warn', running: 'run', failed: 'bad' }[kind] ?? 'off';
  const text = { late: 'fired late', unknown: 'fired' }[kind] ?? kind;
  return badge(text, colour, KINDS[kind]?.[1] ?? '');
}

/** What is unusual about a planned fire time, in words; empty when nothing is. @param {any} planned */
export function plannedNote(planned) {
  if (planned.skipped) return `skipped: ${REASONS[planned.skipped] ?? word(planned.skipped)}`;
  return planned.movedFrom ? `moved from ${planned.movedFrom.replace('T', ' ')}, which does not exist: clocks go forward` : '';
}

/** @param {any} fire @param {string} kind @returns {string} the decision in words */
function label(fire, kind) {
  const time = when(fire.fireTime, { full: true });
  if (kind === 'planned' || kind === 'excluded') return `${time}: ${plannedNote(fire) || 'planned'}`;
  const range = fire.until ? `${time} to ${when(fire.until, { full: true })}` : time;
  const many = fire.until && fire.count ? `, ${counted(fire.count, 'fire time')}` : '';
  const cause = fire.cause === 'TRIGGER' ? ', by a trigger' : fire.cause === 'BACKFILL' ? ', by a backfill' : '';
  const reason = fire.decision === 'SKIPPED' ? `: ${REASONS[fire.reason] ?? word(fire.reason)}` : '';
  const late = kind === 'late' ? `, ${duration(fire.late)} late` : '';
  return `${range}${many}: ${kind === 'late' ? 'fired' : (KINDS[kind]?.[1] ?? kind)}${reason}${late}${cause}`;
}

/** How many were fired, late and skipped, in one sentence. @param {any[]} fires @param {import('../rules.js').Ends} ends */
export function summary(fires, ends) {
  const fired = fires.filter((fire) => fire.decision !== 'SKIPPED');
  const late = fired.filter(isLate).length;
  const failed = fired.filter((fire) => ends.tasks.get(fire.executionId) === 'failed').length;
  const unknown = fired.filter((fire) => kindOf(fire, ends) === 'unknown').length;
  /** @type {Record<string, {times: number, ranges: number}>} */
  const skipped = {};
  let all = 0;
  let isLess = false;
  for (const fire of fires) {
    if (fire.decision !== 'SKIPPED') continue;
    const of = (skipped[fire.reason] ??= { times: 0, ranges: 0 });
    const times = fire.until ? number(fire.count) : 1;
    if (times) {
      of.times += times;
      all += times;
    } else {
      // A range whose fire times were not counted has two or more.
      of.ranges++;
      all += 2;
      isLess = true;
    }
  }
  const reasons = Object.entries(skipped).map(([reason, of]) => {
    const parts = [
      ...(of.times ? [count(of.times)] : []),
      ...(of.ranges === 1 ? ['a range of them'] : of.ranges ? [`${count(of.ranges)} ranges of them`] : []),
    ];
    return `${parts.join(' and ')} because ${REASONS[reason] ?? word(reason)}`;
  });
  return `${count(fired.length)} fired${late ? `, ${count(late)} of them late` : ''}${failed ? `, ${count(failed)} failed for good` : ''}${unknown ? `, of ${count(unknown)} it is not known` : ''}; ${
    all ? `${isLess ? 'at least ' : ''}${count(all)} skipped: ${reasons.join(', ')}` : 'none skipped'
  }.`;
}

/** The strip. It tells by the event choose which fire time somebody wants to know about. */
class LedgerElement extends KElement {
  static properties = {
    fires: { attribute: false },
    planned: { attribute: false },
    tasks: { attribute: false },
    chosen: {},
    at: { state: true },
  };

  constructor() {
    super();
    /** Decisions, newest first. @type {any[]} */
    this.fires = [];
    /** Planned fire times, the next first. @type {any[]} */
    this.planned = [];
    /** @type {import('../rules.js').Ends} */
    this.tasks = NO_ENDS;
    /** The fire time that is explained. */
    this.chosen = '';
    /** The cell that the tab key reaches; the arrow keys go to the others. @type {number | undefined} */
    this.at = undefined;
  }

  /** @param {KeyboardEvent} event @param {number} at @param {number} of */
  key(event, at, of) {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: of - 1 }[event.key];
    if (to === undefined || to < 0 || to >= of) return;
    event.preventDefault();
    this.at = to;
    void this.updateComplete.then(() => /** @type {HTMLElement | null} */ (this.querySelector('[tabindex="0"]'))?.focus());
  }

  render() {
    const cells = [
      ...this.fires.map((fire) => ({ fire, kind: kindOf(fire, this.tasks) })).reverse(),
      ...this.planned.map((fire) => ({ fire, kind: fire.skipped ? 'excluded' : 'planned' })),
    ];
    const kinds = Object.keys(KINDS).filter((kind) => cells.some((cell) => cell.kind === kind));
    const chosen = cells.findIndex(({ fire }) => fire.fireTime === this.chosen);
    const tab = Math.min(this.at ?? (chosen < 0 ? Math.max(0, this.fires.length - 1) : chosen), cells.length - 1);
    return html`<ol class="ledger">
        ${cells.map(({ fire, kind }, at) => {
          const text = label(fire, kind);
          const many = fire.until ? number(fire.count) : 0;
          return html`<li>
            <button
              type="button"
              class=${kind}
              title=${text}
              aria-label=${text}
              aria-pressed=${at === chosen}
              tabindex=${at === tab ? 0 : -1}
              @keydown=${(/** @type {KeyboardEvent} */ event) => this.key(event, at, cells.length)}
              @click=${() => {
                this.at = at;
                this.dispatchEvent(new CustomEvent('choose', { detail: fire.fireTime }));
              }}
            >
              ${KINDS[kind]?.[0]}${many > 1 ? ` ${count(many)}` : nothing}
            </button>
          </li>`;
        })}
      </ol>
      <p class="legend ledger-legend">
        ${kinds.map((kind) => html`<span><i class=${kind} aria-hidden="true">${KINDS[kind]?.[0]}</i>${KINDS[kind]?.[1]}</span>`)}
      </p>`;
  }
}
customElements.define('k-ledger', LedgerElement);
