// The small parts of all screens.
import { ApiError, currentSession, serverTime } from '../api.js';
import { KElement, html, nothing } from '../element.js';
import { count, duration, plain, relative, utc, when } from '../format.js';
import { href, segment, setParams } from '../link.js';
import { traceUrl } from '../rules.js';

/** Characters of a word that is kept in one line. */
const LONGEST_WORD = 32;
/** Names of a list that are shown at once. */
const NAMES = 5;

/** Elements whose text depends on the time that it is now. @type {Set<KElement>} */
const ticking = new Set();
setInterval(() => {
  if (!document.hidden) ticking.forEach((each) => each.requestUpdate());
}, 1000);

/** A point in time, as its distance from now; local time with zone and UTC are its title. With `exact` the local time is the text. */
class TimeElement extends KElement {
  static properties = { value: {}, exact: { type: Boolean } };

  constructor() {
    super();
    /** @type {string | undefined} */
    this.value = undefined;
    this.exact = false;
  }

  connectedCallback() {
    super.connectedCallback();
    ticking.add(this);
  }

  disconnectedCallback() {
    ticking.delete(this);
    super.disconnectedCallback();
  }

  render() {
    if (!this.value) return html`<span class="muted">–</span>`;
    const title = `${when(this.value, { full: true })}, ${utc(this.value)}`;
    return html`<time datetime=${this.value} title=${title}>${this.exact ? when(this.value) : relative(this.value, serverTime())}</time>`;
  }
}
customElements.define('k-time', TimeElement);

/** A foreign text: names, errors, payloads. Invisible characters are shown, and a long text is cut until somebody asks for all of it. */
class TextElement extends KElement {
  static properties = { value: {}, max: { type: Number }, whole: { state: true } };

  constructor() {
    super();
    this.value = '';
    this.max = 2000;
    /** The text of which all is shown. @type {string | undefined} */
    this.whole = undefined;
  }

  render() {
    const cut = this.whole !== this.value && this.value.length > this.max;
    return html`<bdi>${plain(cut ? this.value.slice(0, this.max) : this.value)}</bdi>${cut
        ? html`…
            <button type="button" class="link" @click=${() => (this.whole = this.value)}>
              show all ${this.value.length.toLocaleString('en')} characters
            </button>`
        : nothing}`;
  }
}
customElements.define('k-text', TextElement);

/** A button that copies a text; where the browser does not allow that, it shows the text selected. */
class CopyElement extends KElement {
  static properties = { value: {}, what: {}, state: { state: true } };

  constructor() {
    super();
    this.value = '';
    /** Names the text for people who do not see where the button is. */
    this.what = '';
    /** @type {'' | 'copied' | 'selected'} */
    this.state = '';
  }

  async copy() {
    try {
      // There is no clipboard over plain HTTP, except on the own machine.
      await navigator.clipboard.writeText(this.value);
      this.state = 'copied';
      setTimeout(() => (this.state = ''), 2000);
    } catch {
      this.state = 'selected';
      await this.updateComplete;
      const field = this.querySelector('textarea');
      field?.focus();
      field?.select();
    }
  }

  render() {
    return html`<button type="button" class="small quiet" @click=${this.copy}>
        ${this.state === 'copied' ? 'copied' : 'copy'}<span class="unseen"> ${this.what || plain(this.value).slice(0, 40)}</span>
      </button>
      ${this.state === 'selected'
        ? html`<span class="copied">
            <span role="status">The browser does not let this page copy. The text is selected: copy it with the keyboard.</span>
            <textarea aria-label="The text to copy" readonly rows="1" .value=${this.value} @blur=${() => (this.state = '')}></textarea>
          </span>`
        : nothing}`;
  }
}
customElements.define('k-copy', CopyElement);

/** Says that there is nothing, and the one command that fills the place. */
class EmptyElement extends KElement {
  static properties = { text: {}, command: {} };

  constructor() {
    super();
    this.text = '';
    this.command = '';
  }

  render() {
    return html`<div class="empty">
      <p>${this.text}</p>
      ${this.command ? html`<p class="command"><code>${this.command}</code> <k-copy .value=${this.command}></k-copy></p>` : nothing}
    </div>`;
  }
}
customElements.define('k-empty', EmptyElement);

/** An error, with what to do about it as far as the node says. */
class ProblemElement extends KElement {
  static properties = { error: { attribute: false } };

  constructor() {
    super();
    /** @type {unknown} */
    this.error = undefined;
  }

  render() {
    if (!this.error) return nothing;
    const error = this.error;
    const title = error instanceof ApiError ? error.title : 'This did not work';
    const text = error instanceof Error ? error.message : String(error);
    return html`<div class="problem" role="alert">
      <strong>${plain(title)}</strong>${text !== title ? html`<p><k-text .value=${text}></k-text></p>` : nothing}
    </div>`;
  }
}
customElements.define('k-problem', ProblemElement);

/** Goes to the next page of a list and back to the first. The token of the page is the parameter `page` of the URL. */
class MoreElement extends KElement {
  static properties = { next: {}, first: { type: Boolean }, incomplete: { type: Boolean } };

  constructor() {
    super();
    this.next = '';
    /** True on the first page. */
    this.first = false;
    this.incomplete = false;
  }

  render() {
    if (!this.next && this.first) return nothing;
    return html`<nav class="more" aria-label="Pages">
      ${!this.first ? html`<button type="button" @click=${() => setParams({ page: '' })}>First page</button>` : nothing}
      ${this.next
        ? html`<button type="button" @click=${() => setParams({ page: this.next })}>${this.incomplete ? 'Search on' : 'Next page'}</button>`
        : nothing}
    </nav>`;
  }
}
customElements.define('k-more', MoreElement);

/** What each state of a task means: its colour and a sentence. @type {Record<string, [string, string]>} */
export const TASK_STATES = {
  NEW: ['wait', 'Waits for its due time'],
  ENQUEUED: ['wait', 'Due, and on its queue'],
  PROCESSING: ['run', 'A worker performs it'],
  RETRIABLE_FAILURE: ['warn', 'An attempt failed; it waits for the next'],
  SUCCEEDED: ['good', 'Succeeded'],
  FAILED: ['bad', 'Its worker reported that a retry will not help'],
  CANCELLED: ['off', 'Cancelled before it was done'],
  DEAD: ['bad', 'All attempts failed; it can be put back'],
  AWAITING: ['off', 'Waits for its predecessors'],
  BLOCKED: ['warn', 'Waits for other tasks of its ordering key'],
  PAUSED: ['off', 'Waits while its collection is paused'],
};

/** States of tasks that have not ended. */
export const UNFINISHED = ['NEW', 'ENQUEUED', 'PROCESSING', 'RETRIABLE_FAILURE', 'AWAITING', 'BLOCKED', 'PAUSED'];
/** Those of tasks that no worker performs. */
export const WAITING = UNFINISHED.filter((state) => state !== 'PROCESSING');
/** States of tasks that can be put back. */
export const FAILED = ['DEAD', 'FAILED'];

/** @param {string | undefined} name of an enum of the API, such as RETRIABLE_FAILURE @returns {string} retriable failure */
export function word(name) {
  return (name ?? '').toLowerCase().replaceAll('_', ' ');
}

/** A word of a foreign program in one line, with its invisible characters shown. @param {unknown} text */
export function shortened(text) {
  const shown = plain(text);
  return shown.length > LONGEST_WORD ? `${shown.slice(0, LONGEST_WORD)}…` : shown;
}

/**
 * A badge: a colour and always a word.
 *
 * @param {string} text
 * @param {'good' | 'bad' | 'warn' | 'wait' | 'run' | 'off' | string} kind
 * @param {string} [title]
 */
export function badge(text, kind, title = '') {
  return html`<span class="badge ${kind}" title=${title || nothing}>${shortened(text)}</span>`;
}

/** The badge of a task's state. @param {string | undefined} state */
export function taskState(state) {
  const [kind, title] = TASK_STATES[state ?? ''] ?? ['off', ''];
  return badge(word(state) || 'unknown', kind, title);
}

/** A link to a handler. @param {string} name */
export function handlerLink(name) {
  return html`<a href=${href(`handlers/${segment(name)}`)}><bdi>${plain(name)}</bdi></a>`;
}

/** A link to a task, whose text is the end of its id: the begin is the time and alike for many. @param {string} id */
export function taskLink(id) {
  return html`<a class="mono" href=${href(`tasks/${segment(id)}`)} title=${id}>${id.length > 13 ? `…${id.slice(-12)}` : id}</a>`;
}

/** The trace of a task: its id, which leads to its page where the configuration says where pages of traces are. @param {string} id */
export function traceLink(id) {
  const to = traceUrl(currentSession().traceUrl, id);
  return html`${to
      ? html`<a class="mono" href=${to} target="_blank" rel="noopener noreferrer">${id}</a>`
      : html`<span class="mono">${id}</span>`}
    <k-copy .value=${id}></k-copy>`;
}

/** A retry policy in words; empty when the default holds. @param {any} policy */
export function backoff(policy) {
  return policy?.initialBackoff
    ? `${duration(policy.initialBackoff)}, times ${policy.factor ?? 1}, at most ${duration(policy.maxBackoff)}`
    : '';
}

/** The first names of a list, and the others on demand. @param {string[]} names @param {(name: string) => unknown} link */
export function nameList(names, link) {
  const written = (/** @type {string[]} */ part) => part.map((name, at) => html`${at ? ', ' : ''}${link(name)}`);
  return html`${written(names.slice(0, NAMES))}${names.length > NAMES
    ? html`<details>
        <summary>and ${count(names.length - NAMES)} more</summary>
        ${written(names.slice(NAMES))}
      </details>`
    : nothing}`;
}

/**
 * What stands in the place of an answer that is not there yet or will not come, and why there is no newer one; nothing when the
 * answer is there.
 *
 * @param {import('../live.js').Poll<any>} poll
 */
export function pending(poll) {
  if (poll.error) return html`<k-problem .error=${poll.error}></k-problem>`;
  return poll.value === undefined ? html`<p class="muted loading">Asking the node…</p>` : nothing;
}
