// Dead letters of a route of the delay queue: groups of those that are alike, each with its record, and republishing after a correction.
import { call, may, path } from '../api.js';
import { pendingOrAbsent } from '../absent.js';
import { headersOf, readable, toBase64, utf8 } from '../bytes.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { KElement, Screen, html, nothing } from '../element.js';
import { bytes, count, counted, fromInput, number, plain } from '../format.js';
import { href, setParams } from '../link.js';
import { badge, shortened, word } from './basic.js';
import { ask, say } from './dialog.js';

const LETTERS = 50;
/** Of a value that somebody opens; the API shows no more. */
const VALUE_BYTES = 4096;

/** The parameters of the URL say which letters: `route`, `reason`, `alike` and `page`. */
class LettersElement extends Screen {
  constructor() {
    super();
    // Each question reads the topic anew.
    this.letters = this.poll(
      60,
      (signal) => {
        const route = this.params.get('route');
        if (!route || !may('RouteService/ListDeadLetters')) return Promise.resolve(null);
        const params = {
          reason: this.params.get('reason'),
          fingerprint: this.params.get('alike'),
          pageToken: this.params.get('page'),
          pageSize: LETTERS,
        };
        return call('GET', path`/v1/routes/${route}/deadLetters`, { params, signal });
      },
      () => this.params.has('page'),
    )
      .of('route', 'reason', 'alike', 'page')
      .about('route');
  }

  /** @param {any} letter */
  async republish(letter) {
    const route = this.params.get('route') ?? '';
    const done = await ask({
      heading: 'Publish the dead letter again',
      body: html`<p>
          To the input topic of the route <bdi>${plain(route)}</bdi>, with its value, key and headers, as far as you do not correct them.
          The dead letter itself stays until the retention of its topic ends.
        </p>
        <p class="muted">${plain(letter.detail) || word(letter.reason)}</p>
        <label>Other due time <input type="datetime-local" name="at" step="1" /></label>
        <label class="check"><input type="checkbox" name="other" /> Another value, as below</label>
        <label>Value, text <textarea name="value" rows="3" spellcheck="false"></textarea></label>
        <label
          >Other headers, a line each: name: value
          <textarea name="changed" rows="2" class="few" spellcheck="false" placeholder="kairos-id: order-7"></textarea
        ></label>
        <label>Headers to leave out, by name, with commas <input name="without" autocomplete="off" spellcheck="false" /></label>
        <label class="check"
          ><input type="checkbox" name="again" /> Also if it was published again before: the message may be sent twice then</label
        >`,
      button: 'Publish 1 message',
      run: async (form) => {
        const at = fromInput(String(form.get('at')));
        const value = String(form.get('value') ?? '');
        if (value && !form.has('other')) throw new Error('Check "Another value" to send the value below, or empty it.');
        const headers = headersOf(String(form.get('changed') ?? ''));
        const removeHeaders = String(form.get('without') ?? '')
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean);
        const correction = {
          ...(at ? { runAt: at } : {}),
          ...(form.has('other') ? { value: toBase64(value) } : {}),
          ...(headers.length ? { headers } : {}),
          ...(removeHeaders.length ? { removeHeaders } : {}),
        };
        const answer = await call('POST', path`/v1/routes/${route}/deadLetters/${letter.partition ?? 0}/${letter.offset ?? 0}:republish`, {
          body: { ...(Object.keys(correction).length ? { correction } : {}), again: form.has('again') },
        });
        say(`Published: partition ${answer.partition ?? 0}, offset ${count(answer.offset)}.`);
      },
    });
    if (done) await this.refresh();
  }

  render() {
    const route = this.params.get('route') ?? '';
    const answer = this.letters.value;
    const letters = answer?.letters ?? [];
    const groups = answer?.groups ?? [];
    const reasons = [...new Set([...groups.map((/** @type {any} */ each) => each.reason), this.params.get('reason')])].filter(Boolean);
    return html`<section class="card ${this.letters.waiting && answer ? 'stale' : ''}">
      <div class="title">
        <h2>Dead letters of <bdi>${plain(route)}</bdi></h2>
        ${reasons.length
          ? html`<label class="check"
              >Reason
              <select
                @change=${(/** @type {Event} */ event) =>
                  setParams({ reason: /** @type {HTMLSelectElement} */ (event.target).value, alike: '', page: '' })}
              >
                <option value="">all</option>
                ${reasons.map((each) => html`<option value=${each} ?selected=${each === this.params.get('reason')}>${shortened(word(each))}</option>`)}
              </select></label
            >`
          : nothing}
        <a class="button small" href=${href('delay')}>Close</a>
      </div>
      ${answer && !this.letters.error ? nothing : pendingOrAbsent(this.letters, 'the dead letters of this route')}
      ${groups.length ? this.renderGroups(groups, answer.read) : nothing}
      ${letters.length
        ? html`<table class="fold">
            <thead>
              <tr>
                <th scope="col">Parked</th>
                <th scope="col">Reason</th>
                <th scope="col">From</th>
                <th scope="col">Key</th>
                <th scope="col">Record</th>
                <th scope="col"><span class="unseen">Action</span></th>
              </tr>
            </thead>
            <tbody>
              ${repeat(letters, placeOf, (letter) => this.renderLetter(letter))}
            </tbody>
          </table>`
        : answer
          ? html`<p class="muted">
              ${answer.nextPageToken ? 'None among the records read so far. There are more to read.' : 'There is no dead letter.'}
            </p>`
          : nothing}
      <k-more ?first=${!this.params.has('page')} .next=${answer?.nextPageToken ?? ''}></k-more>
    </section>`;
  }

  /** @param {any[]} groups @param {string} read */
  renderGroups(groups, read) {
    const alike = this.params.get('alike');
    return html`<p class="muted">
        Of the ${counted(read, 'dead letter')} that this page was read
        from${alike ? html`; <a href=${href('delay', { route: this.params.get('route') ?? '' })}>show all</a>` : nothing}:
      </p>
      <table class="fold">
        <thead>
          <tr>
            <th scope="col" class="num">Alike</th>
            <th scope="col">Reason</th>
            <th scope="col">Latest</th>
            <th scope="col"><span class="unseen">Action</span></th>
          </tr>
        </thead>
        <tbody>
          ${groups.map(
            (/** @type {any} */ group) =>
              html`<tr>
                <td data-label="Alike" class="num">${count(group.count)}</td>
                <td data-label="Reason">${badge(word(group.reason), 'bad')} <k-text .value=${group.detail ?? ''} .max=${300}></k-text></td>
                <td data-label="Latest"><k-time .value=${group.latest}></k-time></td>
                <td>
                  ${alike === group.fingerprint
                    ? nothing
                    : html`<a
                        class="button small"
                        href=${href('delay', { route: this.params.get('route') ?? '', alike: group.fingerprint })}
                        >Only these</a
                      >`}
                </td>
              </tr>`,
          )}
        </tbody>
      </table>`;
  }

  /** @param {any} letter */
  renderLetter(letter) {
    const headers = letter.headers ?? [];
    return html`<tr>
      <td data-label="Parked"><k-time .value=${letter.at}></k-time></td>
      <td data-label="Reason">${badge(word(letter.reason), 'bad')} <k-text .value=${letter.detail ?? ''} .max=${300}></k-text></td>
      <td data-label="From"><bdi>${plain(letter.source)}</bdi></td>
      <td data-label="Key" class="maybe">
        ${letter.key ? bytesText(letter.key, 100, letter.cut === true) : nothing}
      </td>
      <td data-label="Record" class="nowrap">
        ${number(letter.valueBytes) < 0 ? 'no value' : bytes(letter.valueBytes)} ${letter.truncated ? badge('in part', 'warn') : nothing}
        ${number(letter.valueBytes) > 0 && may('RouteService/GetDeadLetter')
          ? html`<k-letter-value .route=${this.params.get('route') ?? ''} .letter=${letter}></k-letter-value>`
          : nothing}
        ${headers.length
          ? html`<details>
              <summary>${counted(headers.length, 'header')}</summary>
              <dl class="facts">
                ${headers.map(
                  (/** @type {any} */ header) =>
                    html`<dt><bdi>${plain(header.name)}</bdi></dt>
                      <dd><k-text .value=${readable(header.value)} .max=${200}></k-text></dd>`,
                )}
              </dl>
            </details>`
          : nothing}
      </td>
      <td>
        ${may('RouteService/RepublishDeadLetter')
          ? html`<button type="button" class="small" @click=${() => this.republish(letter)}>Publish again…</button>`
          : nothing}
      </td>
    </tr>`;
  }
}
customElements.define('k-letters', LettersElement);

/** The value of a dead letter, which the node is asked for once somebody opens it. */
class LetterValueElement extends KElement {
  static properties = { route: {}, letter: { attribute: false }, read: { state: true }, error: { state: true } };

  constructor() {
    super();
    this.route = '';
    /** @type {any} */
    this.letter = undefined;
    /** The letter with its value. @type {any} */
    this.read = undefined;
    /** @type {unknown} */
    this.error = undefined;
  }

  /** @param {Event} event */
  async toggled(event) {
    if (!(/** @type {HTMLDetailsElement} */ (event.target).open) || this.read) return;
    this.error = undefined;
    try {
      const { partition = 0, offset = 0 } = this.letter;
      const params = { maxValueBytes: VALUE_BYTES };
      this.read = await call('GET', path`/v1/routes/${this.route}/deadLetters/${partition}/${offset}`, { params });
    } catch (error) {
      this.error = error;
    }
  }

  render() {
    const isPart = number(this.letter?.valueBytes) > VALUE_BYTES;
    return html`<details @toggle=${this.toggled}>
      <summary>Value${isPart ? ', its begin' : ''}</summary>
      ${this.error
        ? html`<k-problem .error=${this.error}></k-problem>`
        : this.read
          ? html`<pre tabindex="0">${bytesText(this.read.value, VALUE_BYTES, isPart)}</pre>`
          : html`<p class="muted">Asking the node…</p>`}
    </details>`;
  }
}
customElements.define('k-letter-value', LetterValueElement);

/** @param {any} letter */
function placeOf(letter) {
  return `${letter.partition ?? 0}/${letter.offset ?? 0}`;
}

/** @param {string} base64 @param {number} max @param {boolean} isPart true when more bytes may follow */
function bytesText(base64, max, isPart) {
  return html`<k-text
    class=${utf8(base64, isPart) === undefined ? 'mono' : ''}
    .value=${readable(base64, isPart)}
    .max=${max}
  ></k-text>`;
}
