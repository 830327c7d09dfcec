// Pauses of handlers: set and ended from several screens.
import { call, may, path } from './api.js';
import { countAll, foundText } from './bulk.js';
import { html } from './element.js';
import { counted, fromInput, plain } from './format.js';
import { WAITING } from './part/basic.js';
import { ask, say } from './part/dialog.js';

/** @param {string} handler @param {string | undefined} collection */
function pathOf(handler, collection) {
  return collection ? path`/v1/handlers/${handler}/pauses/${collection}` : path`/v1/handlers/${handler}/pause`;
}

/** @param {string} handler @param {string | undefined} collection */
function name(handler, collection) {
  return plain(collection ? `collection ${collection} of ${handler}` : handler);
}

/** What a pause is of. @typedef {{collection: string, note: string, until: string}} Given */

function fields() {
  return html`<label
      >Only this collection <input name="collection" maxlength="128" autocomplete="off" placeholder="all tasks of the handler"
    /></label>
    <label>Note, for others who wonder <input name="note" maxlength="500" /></label>
    <label>Ends by itself at, in your time zone <input type="datetime-local" name="until" /></label>`;
}

/** @param {FormData} form @returns {Given} */
function given(form) {
  const text = (/** @type {string} */ field) => String(form.get(field) ?? '').trim();
  return { collection: text('collection'), note: text('note'), until: fromInput(text('until')) };
}

/** @param {string} handler @param {'PAUSE' | 'DROP'} mode @param {Given} pause */
async function set(handler, mode, { collection, note, until }) {
  await call('PUT', pathOf(handler, collection), { body: { mode, note, ...(until ? { until } : {}) } });
}

/** @param {string} handler @returns {Promise<boolean>} true when it was paused */
export async function askForPause(handler) {
  const done = await ask({
    heading: `Pause ${plain(handler)}`,
    body: html`<p>No task begins while the pause lasts. Tasks being performed go on, and new ones are accepted.</p>
      ${fields()}`,
    button: 'Pause',
    run: async (form) => {
      const pause = given(form);
      await set(handler, 'PAUSE', pause);
      say(`Paused: ${name(handler, pause.collection)}.`);
    },
  });
  return done !== undefined;
}

/** Asks what to drop, and then with the number of tasks that wait. @param {string} handler @returns {Promise<boolean>} true when they are dropped */
export async function askForDrop(handler) {
  /** @type {Given | undefined} */
  const pause = await ask({
    heading: `Drop the tasks of ${plain(handler)}`,
    body: html`<p>Its tasks end as cancelled: those that wait, and those that arrive until somebody ends this.</p>
      ${fields()}`,
    button: may('TaskService/CancelTasks') ? 'Count' : 'Next',
    run: async (form) => given(form),
  });
  if (!pause) return false;
  const what = name(handler, pause.collection);
  const filter = { handler, states: WAITING, ...(pause.collection ? { collection: pause.collection } : {}) };
  const done = await ask({
    heading: `Drop the tasks of ${what}`,
    danger: true,
    prepare: async (signal, report) =>
      may('TaskService/CancelTasks') ? countAll('cancel', filter, {}, signal, (found) => report(found)) : null,
    button: (/** @type {import('./bulk.js').Counted | null} */ found) =>
      found?.count ? `Drop ${counted(found.count, 'task')} and those that arrive` : 'Drop all that wait or arrive',
    body: (/** @type {import('./bulk.js').Counted | null | undefined} */ found) =>
      html`<p role="status">${found === null ? 'How many wait is not known to you.' : foundText(found, `of ${what} that wait`)}</p>
        <p>They end as cancelled. This cannot be undone. Tasks being performed go on.</p>`,
    run: async () => {
      await set(handler, 'DROP', pause);
      say(`Dropped: the tasks of ${what}.`);
    },
  });
  return done !== undefined;
}

/** @param {{handler: string, collection?: string}} pause @returns {Promise<boolean>} true when the pause was ended */
export async function askForResume({ handler, collection }) {
  const done = await ask({
    heading: `Resume ${name(handler, collection)}`,
    body: html`<p>Its tasks begin again at once.</p>`,
    button: 'Resume',
    run: async () => {
      await call('DELETE', pathOf(handler, collection));
      say(`Resumed: ${name(handler, collection)}.`);
    },
  });
  return done !== undefined;
}
