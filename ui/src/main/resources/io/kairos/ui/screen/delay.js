// The delay queue: its routes, what waits, dead letters, and a form that sends a delayed message and follows it.
import { call, may, path, serverTime } from '../api.js';
import { isAbsent, pendingOrAbsent } from '../absent.js';
import { readable, toBase64, utf8 } from '../bytes.js';
import { Screen, html, nothing } from '../element.js';
import { bytes, count, counted, duration, fromInput, number, plain } from '../format.js';
import { href, setParams } from '../link.js';
import '../part/bars.js';
import { badge, pending, word } from '../part/basic.js';
import { ask, say } from '../part/dialog.js';
import { barTime, spanOf, spanTabs } from '../part/waiting.js';

/** @type {[string, string][]} */
const AMENDMENTS = [
  ['applied', 'applied'],
  ['tooLate', 'too late'],
  ['unknownId', 'of an unknown id'],
];
const LETTERS = 50;
/** Of each value of a dead letter. */
const VALUE_BYTES = 1024;
/** The clocks of node and store differ by less than this. */
const CLOCK_SECONDS = 2;

/** What became of a message that is followed. @typedef {{state: 'waiting' | 'gone', message?: any, goneAt?: string}} Followed */

class DelayElement extends Screen {
  static properties = { refused: { state: true }, sending: { state: true } };

  constructor() {
    super();
    /** Why the form was refused. @type {unknown} */
    this.refused = undefined;
    this.sending = false;
    this.routes = this.poll(5, (signal) => call('GET', '/v1/routes', { signal }));
    this.counts = this.poll(10, (signal) =>
      may('ClusterService/CountWaiting')
        ? call('GET', '/v1/cluster/waiting', { params: { span: spanOf(this.params).id }, signal })
        : Promise.resolve({}),
    );
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
          maxValueBytes: VALUE_BYTES,
        };
        return call('GET', path`/v1/routes/${route}/deadLetters`, { params, signal });
      },
      () => this.params.has('page'),
    );
    this.followed = this.poll(
      1,
      (signal, last) => this.follow(signal, last),
      (last) => last?.state !== 'waiting',
    );
    this.routes.of();
    this.counts.of('span');
    this.letters.of('route', 'reason', 'alike', 'page').about('route');
    this.followed.of('sent').about('sent');
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
    const answer = this.routes.value;
    const routes = answer?.routes ?? [];
    const absent = isAbsent(this.routes.error);
    return html`<div class="head"><h1>Delay queue</h1></div>
      <p class="scope">
        Of all nodes, told every five seconds. Takeovers and amendments count since the start of each node.
      </p>
      ${absent
        ? html`<p class="note">This node does not tell its routes. What waits and the form below work all the same.</p>`
        : this.routes.error && answer
          ? pending(this.routes)
          : nothing}
      ${absent
        ? nothing
        : !answer
          ? html`<section class="card">${pending(this.routes)}</section>`
          : routes.length
            ? routes.map((/** @type {any} */ route) => this.renderRoute(route))
            : html`<section class="card">
                <k-empty
                  text="No topics are configured here: the delay queue has no route."
                  command="kairos server --set kafka.bootstrap-servers=broker-1.example.com:9092"
                ></k-empty>
              </section>`}
      ${this.params.has('route') && !absent ? this.renderLetters() : nothing}
      <div class="grid">${this.renderWaiting()} ${may('TaskService/ScheduleTask') ? this.renderForm(routes) : nothing}</div>`;
  }

  /** @param {any} route */
  renderRoute(route) {
    const partitions = route.partitions ?? [];
    const lanes = route.lanes ?? [];
    const amendments = AMENDMENTS.map(([outcome, text]) => [number(route.amendments?.[outcome]), text]).filter(([times]) => times);
    const behind = partitions.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + number(each.lag), 0);
    return html`<section class="card">
      <div class="title">
        <h2><bdi>${plain(route.name)}</bdi></h2>
        ${route.served ? badge('served', 'good') : badge('not served', 'bad', 'No node reads its input')}
        ${route.deadLetters && may('RouteService/ListDeadLetters')
          ? html`<a class="button small" href=${href('delay', { route: route.name })}>Dead letters</a>`
          : nothing}
      </div>
      <div class="grid top">
        <dl class="facts">
          <dt>Input</dt>
          <dd><bdi>${plain(route.input)}</bdi></dd>
          <dt>Output</dt>
          <dd><bdi>${plain(route.output) || 'as each message says'}</bdi></dd>
          <dt>Waiting</dt>
          <dd>${number(route.waiting) ? (route.estimated ? 'about ' : '') + counted(route.waiting, 'message') : 'none'}</dd>
          <dt>Input lag</dt>
          <dd>
            ${partitions.length
              ? `${counted(behind, 'record')} in ${counted(partitions.length, 'partition')}`
              : 'no partition is read'}
          </dd>
          <dt>Takeovers</dt>
          <dd>${counted(route.takenOver, 'message')} taken over from other nodes</dd>
          <dt>Amendments</dt>
          <dd>
            ${amendments.length
              ? amendments.map(([times, text]) => `${count(/** @type {number} */ (times))} ${text}`).join(', ')
              : 'no cancel or reschedule yet'}
          </dd>
        </dl>
        <div>
          <h3>Lanes in trouble</h3>
          ${lanes.length
            ? html`<table>
                <thead>
                  <tr>
                    <th scope="col">Output partition</th>
                    <th scope="col">Node</th>
                    <th scope="col">Trouble</th>
                    <th scope="col" class="num">Due</th>
                  </tr>
                </thead>
                <tbody>
                  ${lanes.map(
                    (/** @type {any} */ lane) =>
                      html`<tr>
                        <td><bdi>${plain(lane.topic)}</bdi> ${lane.partition === -1 ? '' : (lane.partition ?? 0)}</td>
                        <td><bdi>${plain(lane.node)}</bdi></td>
                        <td class=${lane.trouble?.startsWith('dead') ? 'bad-text' : 'warn-text'}>${plain(lane.trouble)}</td>
                        <td class="num">${count(lane.queued)}</td>
                      </tr>`,
                  )}
                </tbody>
              </table>`
            : html`<p class="muted">None: every output partition takes its messages in time.</p>`}
        </div>
      </div>
      ${partitions.length
        ? html`<details>
            <summary>Input partitions</summary>
            <table>
              <thead>
                <tr>
                  <th scope="col" class="num">Partition</th>
                  <th scope="col" class="num">Next offset</th>
                  <th scope="col" class="num">Lag</th>
                  <th scope="col">Read by</th>
                </tr>
              </thead>
              <tbody>
                ${partitions.map(
                  (/** @type {any} */ each) =>
                    html`<tr>
                      <td class="num">${each.partition ?? 0}</td>
                      <td class="num">${count(each.position)}</td>
                      <td class="num">${each.lag === undefined || each.lag === null ? 'not known' : count(each.lag)}</td>
                      <td><bdi>${plain(each.node)}</bdi></td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </details>`
        : nothing}
    </section>`;
  }

  renderLetters() {
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
                ${reasons.map((each) => html`<option value=${each} ?selected=${each === this.params.get('reason')}>${word(each)}</option>`)}
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
              ${letters.map((/** @type {any} */ letter) => this.renderLetter(letter))}
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
        ${letter.key
          ? html`<k-text class=${utf8(letter.key) === undefined ? 'mono' : ''} .value=${readable(letter.key)} .max=${100}></k-text>`
          : nothing}
      </td>
      <td data-label="Record" class="nowrap">
        ${number(letter.valueBytes) < 0 ? 'no value' : bytes(letter.valueBytes)} ${letter.truncated ? badge('in part', 'warn') : nothing}
        ${letter.value
          ? html`<details>
              <summary>Value${number(letter.valueBytes) > VALUE_BYTES ? ', its begin' : ''}</summary>
              <k-text class=${utf8(letter.value) === undefined ? 'mono' : ''} .value=${readable(letter.value)} .max=${VALUE_BYTES}></k-text>
            </details>`
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

  renderWaiting() {
    const answer = this.counts.value;
    const bars = answer?.bars ?? [];
    const span = spanOf(this.params);
    const estimated = bars.some((/** @type {any} */ bar) => bar.estimated);
    const all = bars.reduce((/** @type {number} */ sum, /** @type {any} */ bar) => sum + number(bar.messages), 0);
    return html`<section class="card">
      <div class="title">
        <h2>Waiting messages, by due time</h2>
        ${spanTabs(span)}
      </div>
      ${pendingOrAbsent(this.counts, 'what waits')}
      ${!answer
        ? nothing
        : html`<p class="muted">
              ${count(answer.messages?.count, answer.messages?.estimated)} wait, whenever they are due;
              ${count(answer.overdueMessages?.count, answer.overdueMessages?.estimated)} are overdue. In this time ${count(all, estimated)}
              are due, by ${span.unit}; the first bar has also what is overdue.
            </p>
            ${bars.length
              ? html`<k-bars
                  .bars=${bars.map((/** @type {any} */ bar) => ({
                    label: `${barTime(span, bar)}: ${bar.estimated ? 'about ' : ''}${counted(bar.messages, 'message')}`,
                    values: [number(bar.messages)],
                  }))}
                  what="Waiting messages by ${span.unit}: ${count(all, estimated)} in all"
                  from=${barTime(span, bars[0])}
                  to=${barTime(span, bars.at(-1))}
                ></k-bars>`
              : nothing}`}
    </section>`;
  }

  /** @param {any[]} routes */
  renderForm(routes) {
    return html`<section class="card">
      <h2>Send a delayed message</h2>
      ${this.params.has('sent') ? this.renderFollowed() : nothing}
      <form class="edit" @submit=${this.send}>
        <div class="filters">
          <label
            >Topic<input name="topic" required list="topics" autocomplete="off" spellcheck="false" /><datalist id="topics">
              ${[...new Set(routes.map((route) => route.output).filter(Boolean))].map((topic) => html`<option value=${topic}></option>`)}
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
      </form>
    </section>`;
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
customElements.define('k-delay', DelayElement);

/** @param {string} text lines such as name: value @returns {{name: string, value: string}[]} */
function headersOf(text) {
  return text
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => {
      const at = line.indexOf(':');
      if (at < 1) throw new Error(`A header is a name, a colon and a value: ${line}`);
      return { name: line.slice(0, at).trim(), value: toBase64(line.slice(at + 1).trim()) };
    });
}
