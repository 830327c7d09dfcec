// Actions on all tasks that match a filter: a dry run counts, then the action goes through exactly that set, page by page.
import { call } from './api.js';
import { html } from './element.js';
import { count, counted, fromInput, number } from './format.js';
import { ask, say } from './part/dialog.js';
import { bounded } from './rules.js';

const PAGE = 1000;

/**
 * @typedef {object} Bulk
 * @property {'cancel' | 'reschedule' | 'redrive'} verb
 * @property {Record<string, unknown>} filter of the request, without `after` and the bound of the dry run
 * @property {string} which the tasks in words, such as "of handler invoice"
 */

/**
 * @typedef {object} Words
 * @property {string} heading
 * @property {string} button with % for the tasks
 * @property {string} done after the count
 * @property {string} effect one sentence
 */

/** @type {Record<string, Words>} */
const WORDS = {
  cancel: {
    heading: 'Cancel tasks',
    button: 'Cancel %',
    done: 'cancelled',
    effect: 'They will not be performed. This cannot be undone. Tasks that are being performed are asked to stop.',
  },
  redrive: {
    heading: 'Run failed tasks again',
    button: 'Run % again',
    done: 'put back',
    effect: 'They keep their ids, and their attempts are counted from zero.',
  },
  reschedule: {
    heading: 'Change the due time of waiting tasks',
    button: 'Reschedule %',
    done: 'rescheduled',
    effect: 'Tasks that are being performed, or may not begin so late, are left as they are.',
  },
  now: {
    heading: 'Run waiting tasks now',
    button: 'Run % now',
    done: 'made due',
    effect: 'They become due now instead of at their own times.',
  },
};

/** What dry runs have counted. at: the store's time of the first. @typedef {{count: number, more: boolean, at: string}} Counted */

/**
 * Counts all tasks that match, by as many dry runs as that needs: one examines a bounded number of tasks.
 *
 * @param {Bulk['verb']} verb @param {Record<string, unknown>} filter
 * @param {Record<string, unknown>} how other fields of the request on which the set depends
 * @param {AbortSignal} signal @param {(found: Counted) => void} report
 * @returns {Promise<Counted>}
 */
export async function countAll(verb, filter, how, signal, report) {
  /** @type {Counted} */
  let all = { count: 0, more: true, at: '' };
  let after = '';
  do {
    const body = { filter: { ...bounded(verb, filter, all.at), ...(after ? { after } : {}) }, dryRun: true, ...how };
    const answer = await call('POST', `/v1/tasks:${verb}`, { body, signal });
    after = answer.more ? (answer.nextAfter ?? '') : '';
    all = { count: all.count + number(answer.count), more: after !== '', at: all.at || answer.at };
    report(all);
  } while (after);
  return all;
}

/** How many tasks were found, as far as that is known. @param {Counted | undefined} found @param {string} which */
export function foundText(found, which) {
  return found && !found.more
    ? html`<strong>${counted(found.count, 'task')}</strong> ${which}.`
    : html`Counting the tasks ${which}${found?.count ? `: more than ${count(found.count)} so far` : ''}…`;
}

/** @returns {Promise<{start: string, rate: number} | undefined>} to when tasks are rescheduled */
function askForStart() {
  return ask({
    heading: WORDS.reschedule?.heading ?? '',
    body: html`<label>First due time, in your time zone <input type="datetime-local" name="start" required /></label> ${rateField()}`,
    button: 'Count',
    run: async (form) => ({ start: fromInput(String(form.get('start'))), rate: Number(form.get('rate') || 0) }),
  });
}

function rateField() {
  return html`<label
    >At most per second, so that they do not come all at once
    <input type="number" name="rate" min="0.001" max="1000000" step="any" placeholder="no limit"
  /></label>`;
}

/**
 * Asks, with the number that dry runs give, and does it. It can be stopped between two pages, and goes on where an error has
 * stopped it.
 *
 * @param {Bulk & {now?: boolean}} bulk now: a reschedule to this moment
 * @returns {Promise<boolean>} true when something was changed
 */
export async function askForAll({ verb, filter, which, now = false }) {
  const words = /** @type {Words} */ (WORDS[now ? 'now' : verb]);
  // Which tasks can be rescheduled depends on the time, so that is asked for before they are counted.
  const given = verb === 'reschedule' && !now ? await askForStart() : { start: '', rate: 0 };
  if (!given) return false;
  /** @type {Counted} */
  let dry = { count: 0, more: false, at: '' };
  // Outlives an error.
  let done = 0;
  let after = '';
  const text = () => `${counted(done, 'task')} ${words.done}${done < dry.count ? ` of ${count(dry.count)}` : ''}`;
  const changed = await ask({
    heading: words.heading,
    danger: verb === 'cancel',
    prepare: async (signal, report) =>
      (dry = await countAll(verb, filter, given.start ? { start: given.start } : {}, signal, (found) => report(found))),
    possible: (/** @type {Counted} */ prepared) => prepared.count > 0,
    button: (/** @type {Counted} */ prepared) =>
      done ? 'Go on with the others' : words.button.replace('%', counted(prepared.count, 'task')),
    body: (/** @type {Counted | undefined} */ prepared) => html`
      <p role="status">${foundText(prepared, which)} ${prepared?.count && !prepared.more ? words.effect : ''}</p>
      ${verb === 'cancel' || given.start ? '' : rateField()}
    `,
    run: async (form, { signal, report }) => {
      const rate = given.start ? given.rate : Number(form.get('rate') || 0);
      const start = Date.parse(given.start || dry.at);
      report(done, dry.count);
      for (;;) {
        const pace =
          verb === 'cancel'
            ? {}
            : { start: new Date(start + (rate ? (done / rate) * 1000 : 0)).toISOString(), ...(rate ? { perSecond: rate } : {}) };
        const answer = await call('POST', `/v1/tasks:${verb}`, {
          body: { filter: { ...bounded(verb, filter, dry.at), ...(after ? { after } : {}) }, limit: PAGE, ...pace },
        });
        done += number(answer.count ?? answer.ids?.length);
        report(done, dry.count);
        if (!answer.more || !answer.nextAfter) break;
        after = answer.nextAfter;
        if (signal.aborted) {
          say(`Stopped: ${text()}.`);
          return true;
        }
      }
      say(`${text()}.`);
      return true;
    },
  });
  if (changed === undefined && done) say(`Not finished: ${text()}.`);
  return changed === true || done > 0;
}
