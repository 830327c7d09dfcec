// Failed tasks by handler and error: what failed, why, when, and the button that runs it again.
import { Screen, html, nothing, searched } from '../element.js';
import { plain } from '../format.js';
import { href, setParams } from '../link.js';
import { pending } from '../part/basic.js';
import { loadGroups, minuteAgo } from '../part/failures.js';

/** @type {[string, string, number][]} */
const WINDOWS = [
  ['5m', 'Last 5 minutes', 1 / 12],
  ['1h', 'Last hour', 1],
  ['24h', 'Last 24 hours', 24],
  ['7d', 'Last 7 days', 168],
  ['all', 'All kept', 0],
];

class FailuresElement extends Screen {
  constructor() {
    super();
    this.groups = this.poll(15, (signal) => loadGroups({ handler: this.params.get('handler') ?? '', since: this.since() }, signal)).of(
      'handler',
      'window',
    );
  }

  window() {
    return this.params.get('window') ?? '24h';
  }

  /** @returns {string} */
  since() {
    const hours = WINDOWS.find(([id]) => id === this.window())?.[2] ?? 24;
    return hours ? minuteAgo(hours) : '';
  }

  /** @param {Event} event */
  submit(event) {
    event.preventDefault();
    setParams(searched(/** @type {HTMLFormElement} */ (event.currentTarget), this.params));
  }

  render() {
    const handler = this.params.get('handler') ?? '';
    const answer = this.groups.value;
    return html`<div class="head">
        <h1>Failures</h1>
        <div class="tabs" role="group" aria-label="Time">
          ${WINDOWS.map(
            ([id, text]) =>
              html`<button type="button" aria-pressed=${id === this.window()} @click=${() => setParams({ window: id })}>${text}</button>`,
          )}
        </div>
      </div>
      <p class="scope">
        Tasks that ended as dead or failed, by handler and error${handler ? html`, of handler <bdi>${plain(handler)}</bdi>` : nothing}.
        ${answer?.incomplete ? 'There are more than are counted here: numbers are lower bounds.' : nothing}
      </p>
      <form class="card search" @submit=${this.submit} aria-label="Search">
        <div class="filters">
          <label>Handler<input name="handler" autocomplete="off" spellcheck="false" placeholder="all handlers" /></label>
          <div class="row">
            <button type="submit" class="primary">Search</button>${handler
              ? html`<a class="button" href=${href('failures', { window: this.params.get('window') })}>Clear</a>`
              : nothing}
          </div>
        </div>
      </form>
      ${pending(this.groups)}
      ${answer
        ? html`<section class="card ${this.groups.waiting ? 'stale' : ''}">
            ${answer.groups.length
              ? html`<k-failure-table
                  .groups=${answer.groups}
                  .since=${answer.since}
                  .handler=${handler}
                  @changed=${this.refresh}
                ></k-failure-table>`
              : html`<k-empty text="No task has failed in this time."></k-empty>`}
          </section>`
        : nothing}`;
  }
}
customElements.define('k-failures', FailuresElement);
