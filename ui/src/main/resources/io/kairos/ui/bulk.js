// Actions on all tasks that match a filter: a dry run counts, then the action goes through exactly that set, page by page.
import { call } from './api.js';
import { html } from './element.js';
import { count, counted, number } from './format.js';
import { ask, say } from './part/dialog.js';

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
    effect: 'Tasks that are being performed are left as they are.',
  },
  now: {
    heading: 'Run waiting tasks now',
    button: 'Run % now',
    done: 'made due',
    effect: 'They become due now instead of at their own times.',
  },
};

/** The answer of a dry run. @typedef {{count: number, more: boolean, at: string}} Counted */

/**
 * Asks, with the number that a dry run gives, and does it. It can be stopped between two pages.
 *
 * @param {Bulk & {now?: boolean}} bulk now: a reschedule to this moment
 * @returns {Promise<boolean>} true when something was changed
 */
export async function askForAll({ verb, filter, which, now = false }) {
  const words = /** @type {Words} */ (WORDS[now ? 'now' : verb]);
  const to = `/v1/tasks:${verb}`;
  /** @type {Counted} */
  let dry = { count: 0, more: false, at: '' };
  const changed = await ask({
    heading: words.heading,
    danger: verb === 'cancel',
    prepare: async (signal) => {
      const answer = await call('POST', to, { body: { filter, dryRun: true }, signal });
      dry = { count: number(answer.count), more: answer.more === true, at: answer.at };
      return dry;
    },
    possible: (/** @type {Counted} */ prepared) => prepared.count > 0,
    button: (/** @type {Counted} */ prepared) =>
      words.button.replace('%', `${prepared.more ? 'more than ' : ''}${counted(prepared.count, 'task')}`),
    body: (/** @type {Counted | undefined} */ prepared) => html`
      <p role="status">
        ${prepared
          ? html`<strong>${prepared.more ? 'More than ' : ''}${counted(prepared.count, 'task')}</strong> ${which}.`
          : html`Counting the tasks ${which}…`}
        ${prepared?.count ? words.effect : ''}
      </p>
      ${verb === 'reschedule' && !now ? html`<label>First due time <input type="datetime-local" name="start" required /></label>` : ''}
      ${verb === 'cancel'
        ? ''
        : html`<label
            >At most per second, so that they do not come all at once
            <input type="number" name="rate" min="0.001" max="1000000" step="any" placeholder="no limit"
          /></label>`}
    `,
    run: async (form, { signal, report }) => {
      const rate = Number(form.get('rate') || 0);
      const start = form.get('start') ? new Date(String(form.get('start'))).getTime() : new Date(dry.at).getTime();
      const bound = verb === 'redrive' ? { endedBefore: dry.at } : { acceptedUntil: dry.at };
      const total = dry.more ? undefined : dry.count;
      let done = 0;
      let after = '';
      report(0, total);
      for (;;) {
        const pace =
          verb === 'cancel'
            ? {}
            : { start: new Date(start + (rate ? (done / rate) * 1000 : 0)).toISOString(), ...(rate ? { perSecond: rate } : {}) };
        const answer = await call('POST', to, {
          body: { filter: { ...filter, ...bound, ...(after ? { after } : {}) }, limit: PAGE, ...pace },
        });
        done += number(answer.count ?? answer.ids?.length);
        after = answer.nextAfter ?? '';
        report(done, total);
        if (!answer.more || !after) break;
        if (signal.aborted) {
          say(`Stopped: ${counted(done, 'task')} ${words.done}${total === undefined ? '' : ` of ${count(total)}`}.`);
          return true;
        }
      }
      say(`${counted(done, 'task')} ${words.done}.`);
      return true;
    },
  });
  return changed === true;
}
