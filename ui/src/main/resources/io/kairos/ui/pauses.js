// Pauses of handlers: set and ended from several screens.
import { call, path } from './api.js';
import { html } from './element.js';
import { plain } from './format.js';
import { ask, say } from './part/dialog.js';

/** @param {string} handler @param {string | undefined} collection */
function pathOf(handler, collection) {
  return collection ? path`/v1/handlers/${handler}/pauses/${collection}` : path`/v1/handlers/${handler}/pause`;
}

/** @param {string} handler @param {string | undefined} collection */
function name(handler, collection) {
  return plain(collection ? `collection ${collection} of ${handler}` : handler);
}

/** @param {string} handler @returns {Promise<boolean>} true when it was paused */
export async function askForPause(handler) {
  const done = await ask({
    heading: `Pause ${plain(handler)}`,
    body: html`<p>No task begins while the pause lasts. Tasks being performed go on, and new ones are accepted.</p>
      <label
        >Only this collection <input name="collection" maxlength="128" autocomplete="off" placeholder="all tasks of the handler"
      /></label>
      <label>Note, for others who wonder <input name="note" maxlength="500" /></label>
      <label>Ends by itself at <input type="datetime-local" name="until" /></label>
      <label class="check"
        ><input type="checkbox" name="drop" /> Drop the tasks: all that wait, and all that arrive during the pause, end as cancelled. This
        cannot be undone.</label
      >`,
    button: 'Pause',
    run: async (form) => {
      const collection = String(form.get('collection')).trim();
      const until = String(form.get('until'));
      await call('PUT', pathOf(handler, collection), {
        body: {
          mode: form.get('drop') ? 'DROP' : 'PAUSE',
          note: form.get('note'),
          ...(until ? { until: new Date(until).toISOString() } : {}),
        },
      });
      say(`Paused: ${name(handler, collection)}.`);
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
