// All handlers: what waits for each, what it does, and what is wrong with it.
import { call, may } from '../api.js';
import { Screen, html, nothing } from '../element.js';
import { count, decimal, duration, number, plain } from '../format.js';
import { href } from '../link.js';
import { FAILED, badge, handlerLink, pending } from '../part/basic.js';
import { askForPause, askForResume } from '../pauses.js';

/** Counts of a handler: title, field, and the states that it counts. @type {[string, string, string[]][]} */
export const COUNTS = [
  ['Waiting', 'waiting', ['NEW', 'RETRIABLE_FAILURE']],
  ['On queue', 'enqueued', ['ENQUEUED']],
  ['Running', 'processing', ['PROCESSING']],
  ['Blocked', 'blocked', ['BLOCKED']],
  ['Paused', 'paused', ['PAUSED']],
  ['Failed', 'failed', FAILED],
];

/** Fields that are counted up to a bound; the others are exact, or ends. */
const BOUNDED = ['waiting', 'blocked', 'paused'];

/** A count, which says when there may be more. @param {any} handler @param {string} field */
export function amount(handler, field) {
  const value = field === 'failed' ? number(handler.dead) + number(handler.failed) : number(handler[field]);
  const most = number(handler.countedTo);
  if (BOUNDED.includes(field) && most && value >= most) return { value, text: `${count(value)}+` };
  return { value, text: field === 'failed' && handler.failedAtLeast ? `${count(value)} or more` : count(value) };
}

/** Attempts per second. @param {any} handler @param {'begun' | 'ended' | 'failed'} field */
export function rate(handler, field) {
  return decimal(number(handler.rates?.[field]));
}

/** What is to be said about a handler at once. @param {any} handler */
export function handlerBadges(handler) {
  const depth = number(handler.waiting) + number(handler.enqueued);
  const whole = (handler.pauses ?? []).find((/** @type {any} */ pause) => !pause.collection);
  return html`${handler.hasWorker
    ? badge('has a worker', 'good')
    : badge('no worker', depth ? 'bad' : 'off', 'Without a worker its tasks wait')}
  ${whole ? badge(whole.mode === 'DROP' ? 'drops its tasks' : 'paused', 'warn', plain(whole.note)) : nothing}
  ${(handler.pauses?.length ?? 0) > (whole ? 1 : 0) ? badge('collections paused', 'warn') : nothing}`;
}

class HandlersElement extends Screen {
  constructor() {
    super();
    this.handlers = this.poll(10, (signal) =>
      call('GET', '/v1/handlers', { params: { pageToken: this.params.get('page'), pageSize: 200, counting: 'SHORT' }, signal }),
    );
  }

  /** @param {any} handler */
  async toggle(handler) {
    const pause = (handler.pauses ?? []).find((/** @type {any} */ each) => !each.collection);
    if (await (pause ? askForResume({ handler: handler.name }) : askForPause(handler.name))) await this.refresh();
  }

  render() {
    const answer = this.handlers.value;
    const handlers = answer?.handlers ?? [];
    return html`<div class="head"><h1>Handlers</h1></div>
      <p class="scope">
        Numbers are of now, of all nodes; rates are attempts per second in the last minute. Failed ones are those still kept.
      </p>
      ${this.handlers.error && answer ? pending(this.handlers) : nothing}
      <section class="card">
        ${!answer
          ? pending(this.handlers)
          : handlers.length
            ? this.renderTable(handlers)
            : html`<k-empty text="No handler has a task or a worker yet." command="kairos worker exec --handler greet -- cat"></k-empty>`}
        <k-more ?first=${!this.params.has('page')} .next=${answer?.nextPageToken ?? ''}></k-more>
      </section>`;
  }

  /** @param {any[]} handlers */
  renderTable(handlers) {
    return html`<table class="fold">
      <thead>
        <tr>
          <th scope="col">Handler</th>
          <th scope="col">Worker</th>
          ${COUNTS.map(([title]) => html`<th scope="col" class="num">${title}</th>`)}
          <th scope="col" class="num" title="How long the oldest task is due that no worker has">Oldest due</th>
          <th scope="col" class="num">Per second</th>
          <th scope="col">Limits</th>
          <th scope="col"><span class="unseen">Action</span></th>
        </tr>
      </thead>
      <tbody>
        ${handlers.map((handler) => {
          const paused = (handler.pauses ?? []).some((/** @type {any} */ pause) => !pause.collection);
          const allowed = may(paused ? 'HandlerService/EndPause' : 'HandlerService/SetPause');
          return html`<tr>
            <td data-label="Handler" class="name">${handlerLink(handler.name)}</td>
            <td data-label="Worker">
              ${handlerBadges(handler)}${handler.hasWorker
                ? nothing
                : html`<span class="sub"
                    >${handler.askedAt ? html`last asked <k-time .value=${handler.askedAt}></k-time>` : 'none has ever asked'}</span
                  >`}
            </td>
            ${COUNTS.map(([title, field, states]) => {
              const { value, text } = amount(handler, field);
              return html`<td data-label=${title} class=${value ? 'num' : 'num zero maybe'}>
                ${value
                  ? html`<a class=${field === 'failed' ? 'bad-text' : ''} href=${href('tasks', { handler: handler.name, state: states })}
                      >${text}</a
                    >`
                  : text}
              </td>`;
            })}
            <td data-label="Oldest due" class=${handler.oldestDue ? 'num' : 'num zero maybe'}>
              ${handler.oldestDue ? html`<span class="nowrap">${duration(handler.oldestDue)}</span>` : '–'}
            </td>
            <td data-label="Per second" class=${number(handler.rates?.begun) || number(handler.rates?.ended) ? 'num' : 'num zero maybe'}>
              ${renderRates(handler)}
            </td>
            <td data-label="Limits" class="maybe">
              ${(handler.queues ?? []).map((/** @type {any} */ queue) =>
                queue.maxRunning === undefined || queue.maxRunning === null
                  ? html`<span class="sub">rate</span>`
                  : html`<span class="nowrap">${queue.running ?? 0} of ${queue.maxRunning}</span> `,
              )}
            </td>
            <td>
              ${allowed
                ? html`<button type="button" class="small" @click=${() => this.toggle(handler)}>
                    ${paused ? 'Resume…' : 'Pause…'}<span class="unseen"> ${plain(handler.name)}</span>
                  </button>`
                : nothing}
            </td>
          </tr>`;
        })}
      </tbody>
    </table>`;
  }
}
customElements.define('k-handlers', HandlersElement);

/** @param {any} handler */
function renderRates(handler) {
  return html`<span>${rate(handler, 'begun')} begun</span><span class="sub">${rate(handler, 'ended')} ended</span>${number(
      handler.rates?.failed,
    )
      ? html`<span class="sub bad-text">${rate(handler, 'failed')} failed</span>`
      : nothing}`;
}
