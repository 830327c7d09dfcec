// Questions before an action, and what is said after it.
import { KElement, html, nothing } from '../element.js';
import { count } from '../format.js';
import { onChange } from '../link.js';

/**
 * @typedef {object} Progress
 * @property {AbortSignal} signal is aborted when the person stops the action
 * @property {(done: number, of?: number) => void} report shows how far the action is
 */

/**
 * @typedef {object} Question
 * @property {string} heading
 * @property {unknown} [body] text or fields of a form
 * @property {(signal: AbortSignal, report: (found: unknown) => void) => Promise<unknown>} [prepare] finds what the action would do,
 *     such as by a dry run; its answer, and what it has reported until then, is given to body, and the button waits for it
 * @property {string | ((prepared: any) => string)} button names the action, with the number of what it changes
 * @property {boolean} [danger] true for what cannot be undone
 * @property {(prepared: any) => boolean} [possible] false when there is nothing to do
 * @property {(form: FormData, progress: Progress) => Promise<unknown>} run does it; an error is shown and the dialog stays
 */

class DialogElement extends KElement {
  static properties = {
    question: { attribute: false },
    prepared: { state: true },
    error: { state: true },
    done: { state: true },
    of: { state: true },
    busy: { state: true },
  };

  constructor() {
    super();
    /** @type {Question} */
    this.question = { heading: '', button: '', run: async () => undefined };
    /** @type {(result: unknown) => void} */
    this.close = () => {};
    /** @type {any} */
    this.prepared = undefined;
    /** @type {unknown} */
    this.error = undefined;
    /** @type {number | undefined} */
    this.done = undefined;
    /** @type {number | undefined} */
    this.of = undefined;
    /** True while the answer of prepare or run is awaited. */
    this.busy = false;
    /** True while it is run. */
    this.running = false;
    /** True when prepare has its whole answer. */
    this.ready = false;
    this.stop = new AbortController();
  }

  firstUpdated() {
    const dialog = this.querySelector('dialog');
    dialog?.showModal();
    if (this.question.prepare) void this.prepare(this.question.prepare);
  }

  connectedCallback() {
    super.connectedCallback();
    // A question about a view that is left is not asked any more; what is under way goes on.
    this.unwatch = onChange(() => {
      if (!this.running) this.cancel();
    });
  }

  disconnectedCallback() {
    this.unwatch?.();
    super.disconnectedCallback();
  }

  /** @param {NonNullable<Question['prepare']>} prepare */
  async prepare(prepare) {
    this.busy = true;
    try {
      this.prepared = await prepare(this.stop.signal, (found) => (this.prepared = found));
      this.ready = true;
    } catch (error) {
      this.error = error;
    }
    this.busy = false;
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    event.preventDefault();
    if (this.busy) return;
    this.busy = this.running = true;
    this.error = undefined;
    this.stop = new AbortController();
    try {
      const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
      const result = await this.question.run(form, {
        signal: this.stop.signal,
        report: (done, of) => {
          this.done = done;
          this.of = of;
        },
      });
      this.close(result ?? true);
    } catch (error) {
      this.error = error;
      this.busy = this.running = false;
    }
  }

  /** Goes back. The call that is under way is waited for, until somebody asks a second time. */
  cancel() {
    const again = this.stop.signal.aborted;
    this.stop.abort();
    if (this.running && !again) return this.requestUpdate();
    if (this.running) say('The answer was not waited for: whether it is done is not known yet.');
    this.close(undefined);
  }

  /** The browser has closed the dialog by itself, such as after a second Esc. */
  closed() {
    this.cancel();
    if (this.isConnected) this.querySelector('dialog')?.showModal();
  }

  render() {
    const { heading, body, button, danger, prepare, possible } = this.question;
    const ready = !prepare || this.ready;
    const stopping = this.running && this.stop.signal.aborted;
    const label = typeof button === 'string' ? button : ready ? button(this.prepared) : 'Counting…';
    const off = this.busy || !ready || (ready && possible && !possible(this.prepared));
    return html`<dialog
      aria-labelledby="dialog-heading"
      @cancel=${(/** @type {Event} */ event) => {
        event.preventDefault();
        this.cancel();
      }}
      @close=${this.closed}
    >
      <form @submit=${this.submit}>
        <h2 id="dialog-heading">${heading}</h2>
        ${typeof body === 'function' ? body(this.prepared) : body}
        ${this.error ? html`<k-problem .error=${this.error}></k-problem>` : nothing}
        ${this.done === undefined
          ? nothing
          : html`<p class="progress">
              <progress aria-label="Progress" max=${this.of ?? nothing} value=${this.of === undefined ? nothing : this.done}></progress>
              <span role="status">${count(this.done)}${this.of === undefined ? '' : ` of ${count(this.of)}`}</span>
            </p>`}
        ${stopping ? html`<p class="muted" role="status">Waiting for the answer of the call under way.</p>` : nothing}
        <p class="actions">
          <button type="button" @click=${this.cancel}>
            ${stopping ? 'Do not wait' : this.running && this.done !== undefined ? 'Stop' : 'Back'}
          </button>
          <button type="submit" class=${danger ? 'danger' : 'primary'} ?disabled=${off}>${label}</button>
        </p>
      </form>
    </dialog>`;
  }
}
customElements.define('k-dialog', DialogElement);

/**
 * Asks, and does what was asked for. The dialog stays open while it is done.
 *
 * @param {Question} question
 * @returns {Promise<any>} what run returned; undefined when the person went back
 */
export function ask(question) {
  const before = document.activeElement;
  const element = /** @type {DialogElement} */ (document.createElement('k-dialog'));
  element.question = question;
  return new Promise((resolve) => {
    element.close = (result) => {
      // A call that was not waited for has ended.
      if (!element.isConnected) return;
      element.remove();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      resolve(result);
    };
    document.body.append(element);
  });
}

/**
 * Says that an action is done, for some seconds; screen readers say it too.
 *
 * @param {string} text
 */
export function say(text) {
  dispatchEvent(new CustomEvent('k-say', { detail: text }));
}
