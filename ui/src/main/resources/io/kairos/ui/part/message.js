// A form that sends a delayed message, and follows it until it no longer waits.
import { call, may, path, serverTime } from '../api.js';
import { pendingOrAbsent } from '../absent.js';
import { headersOf, toBase64 } from '../bytes.js';
import { Screen, html, nothing } from '../element.js';
import { duration, fromInput, plain } from '../format.js';
import { setParams } from '../link.js';
import { badge } from './basic.js';
import { ask, say } from './dialog.js';

/** The clocks of node and store differ by less than this. */
const CLOCK_SECONDS = 2;

/** What became of a message that is followed. @typedef {{state: 'waiting' | 'gone', message?: any, goneAt?: string}} Followed */

/** The message that is followed is the parameter `sent` of the URL. */
class MessageElement extends Screen {
  static properties = { topics: { attribute: false }, refused: { state: true }, sending: { state: true } };

  constructor() {
    super();
    /** Names that the field for the topic offers. @type {string[]} */
    this.topics = [];
    /** Why the form was refused. @type {unknown} */
    this.refused = undefined;
    this.sending = false;
    this.followed = this.poll(
      1,
      (signal, last) => this.follow(signal, last),
      (last) => last?.state !== 'waiting',
    )
      .of('sent')
      .about('sent');
  }

  /** @param {AbortSignal} signal @param {Followed | null | undefined} last @returns {Promise<Followed | null>} */
  async follow(signal, last) {
    const id = this.params.get('sent');
    if (!id || !may('RouteService/GetMessage')) return null;
    const before = last?.message?.id === id ? last : undefined;
    const message = await call('GET', path`/v1/messages/${id}`, { signal });
    if (message.state !== 'GONE') return { state: 'waiting', message };
    if (before?.state === 'gone') return before;
    return { state: 'gone', message: before?.message, goneAt: new Date(serverTime()).toISOString() };
  }

  /** @param {SubmitEvent} event */
  async send(event) {
    event.preventDefault();
    if (this.sending) return;
    const element = /** @type {HTMLFormElement} */ (event.target);
    const form = new FormData(element);
    const text = (/** @type {string} */ name) => String(form.get(name) ?? '');
    const at = fromInput(text('at'));
    this.refused = undefined;
    this.sending = true;
    try {
      const answer = await call('POST', '/v1/tasks', {
        body: {
          topic: {
            name: text('topic').trim(),
            ...(text('key') ? { key: toBase64(text('key')) } : {}),
            headers: headersOf(text('headers')),
          },
          text: text('value'),
          ...(at ? { runAt: at } : { delay: `${Number(text('delay') || 0)}s` }),
        },
      });
      say('The message is accepted.');
      setParams({ sent: answer.id });
    } catch (error) {
      this.refused = error;
    }
    this.sending = false;
  }

  /** @param {'cancel' | 'now'} verb @param {any} message */
  async change(verb, message) {
    const done = await ask({
      heading: verb === 'cancel' ? 'Cancel the message' : 'Send the message now',
      danger: verb === 'cancel',
      body: html`<p>
        ${verb === 'cancel' ? 'It will not be sent. This cannot be undone.' : 'It becomes due now.'} <code>${plain(message.id)}</code>
      </p>`,
      button: verb === 'cancel' ? 'Cancel 1 message' : 'Send 1 message now',
      run: async () => {
        if (verb === 'now') await call('POST', path`/v1/tasks/${message.id}:reschedule`, { body: { delay: '0s' } });
        else {
          const { outcome } = await call('POST', path`/v1/tasks/${message.id}:cancel`);
          say(outcome === 'TOO_LATE' ? 'Too late: it has been sent.' : 'Cancelled.');
          if (outcome !== 'TOO_LATE') setParams({ sent: '' });
        }
      },
    });
    if (done) await this.followed.refresh();
  }

  render() {
    return html`${this.params.has('sent') ? this.renderFollowed() : nothing}
      <form class="edit" @submit=${this.send}>
        <div class="filters">
          <label
            >Topic<input name="topic" required list="topics" autocomplete="off" spellcheck="false" /><datalist id="topics">
              ${this.topics.map((topic) => html`<option value=${topic}></option>`)}
            </datalist></label
          >
          <label>Key<input name="key" autocomplete="off" placeholder="none" /></label>
          <label>Delay in seconds<input name="delay" type="number" min="0" step="any" .defaultValue=${'10'} /></label>
          <label>or due at<input name="at" type="datetime-local" step="1" /></label>
          <label class="all">Value, text<textarea name="value" rows="3" spellcheck="false"></textarea></label>
          <label class="all"
            >Headers, a line each: name: value<textarea name="headers" rows="2" class="few" spellcheck="false"></textarea>
          </label>
        </div>
        ${this.refused ? html`<k-problem .error=${this.refused}></k-problem>` : nothing}
        <p class="actions"><button type="submit" class="primary" ?disabled=${this.sending}>Send</button></p>
      </form>`;
  }

  renderFollowed() {
    const followed = /** @type {Followed | null | undefined} */ (this.followed.value);
    const id = this.params.get('sent') ?? '';
    const close = html`<button type="button" class="small quiet" @click=${() => setParams({ sent: '' })}>Close</button>`;
    if (this.followed.error)
      return html`<div class="note">${pendingOrAbsent(this.followed, 'what becomes of a message')}<code>${plain(id)}</code> ${close}</div>`;
    // Without the right to look, or while the first answer is under way.
    if (!followed || (followed.message && followed.message.id !== id))
      return html`<p class="note">Accepted: <code>${plain(id)}</code> ${close}</p>`;
    const { state, message, goneAt } = followed;
    const ready = message?.state === 'READY';
    if (state === 'waiting')
      return html`<div class="note">
        <p>
          ${badge(ready ? 'ready' : 'waiting', ready ? 'run' : 'wait')} for <bdi>${plain(message.topic)}</bdi>, due
          <k-time .value=${message.runAt}></k-time>${ready ? ': a node holds it and sends it when it is due' : ''}.
          <code>${plain(id)}</code>
        </p>
        <p class="row">
          ${may('TaskService/RescheduleTask')
            ? html`<button type="button" class="small" @click=${() => this.change('now', message)}>Send now…</button>`
            : nothing}
          ${may('TaskService/CancelTask')
            ? html`<button type="button" class="small" @click=${() => this.change('cancel', message)}>Cancel…</button>`
            : nothing}
          ${close}
        </p>
      </div>`;
    const after = message ? (Date.parse(goneAt ?? '') - Date.parse(message.runAt)) / 1000 : 0;
    const early = after < -CLOCK_SECONDS;
    return html`<div class="note" role="status">
      <p>
        ${badge('gone', message && !early ? 'good' : 'off')}
        ${message && !early
          ? html`It no longer waits: sent to <bdi>${plain(message.topic)}</bdi>, unless somebody has cancelled it. It was due
              <k-time .value=${message.runAt}></k-time>, and ${duration(Math.max(0, after))} later it was gone.`
          : message
            ? html`It no longer waits, before the due time that was seen: it was cancelled, or its due time was changed and it was sent.`
            : html`It no longer waits: it was sent or cancelled.`}
        <code>${plain(id)}</code>
      </p>
      ${close}
    </div>`;
  }
}
customElements.define('k-message', MessageElement);
