// What all elements of the dashboard are made from. They render into the page itself, so that one style sheet serves them all.
import { LitElement, html, nothing, svg } from 'lit';
import { serverTime } from './api.js';
import { fromInput, localInput } from './format.js';
import { here } from './link.js';
import { Poll } from './live.js';

export { html, nothing, svg };

/** An element without shadow tree. */
export class KElement extends LitElement {
  createRenderRoot() {
    return this;
  }
}

/**
 * A screen. It reads what it shows from its route, and what it asks the node for from polls, which begin again when the
 * parameters of the route change that they name.
 */
export class Screen extends KElement {
  /** @type {import('lit').PropertyDeclarations} */
  static properties = { route: { attribute: false } };

  constructor() {
    super();
    /** @type {import('./link.js').Route} */
    this.route = here();
    /** @type {Poll<any>[]} */
    this.polls = [];
  }

  /** The arguments in the path, such as the id of a task. @returns {Record<string, string>} */
  get args() {
    return this.route.args;
  }

  /** The query of the URL, which holds all state of the view. */
  get params() {
    return this.route.params;
  }

  /**
   * Asks the node again and again while the screen is shown.
   *
   * @template T
   * @param {number} seconds time between two calls; 0 to ask once
   * @param {(signal: AbortSignal, last: T | undefined) => Promise<T>} load
   * @param {(last: T | undefined) => boolean} [rests] true while it is not asked again by itself
   * @returns {Poll<T>}
   */
  poll(seconds, load, rests) {
    const poll = new Poll(this, seconds, load, rests);
    this.polls.push(poll);
    return poll;
  }

  /** Asks for everything at once, such as after an action. */
  async refresh() {
    await Promise.all(this.polls.map((poll) => poll.refresh()));
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    const before = /** @type {import('./link.js').Route | undefined} */ (changed.get('route'));
    if (!before) return;
    const other = before.path !== this.route.path;
    const differs = (/** @type {string} */ name) => before.params.getAll(name).join('\n') !== this.params.getAll(name).join('\n');
    const any = before.params.toString() !== this.params.toString();
    for (const poll of this.polls) {
      const forget = other || poll.subject.some(differs);
      if (forget || (poll.names?.some(differs) ?? any)) poll.restart(forget);
    }
  }

  /** Fills the forms of the class search from the URL, when that has changed. @param {Map<PropertyKey, unknown>} changed */
  updated(changed) {
    if (!changed.has('route')) return;
    for (const field of /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (this.querySelectorAll('form.search [name]'))) {
      const value = this.params.get(field.name) ?? '';
      if (field instanceof HTMLInputElement && field.type === 'checkbox')
        field.checked = this.params.getAll(field.name).includes(field.value);
      else field.value = field.type === 'datetime-local' ? localInput(this.time(field.name)) : value;
      // What the field shows for the parameter: a time that nobody has changed stays as it is, also the word now.
      field.dataset.shown = field.value;
    }
  }

  /** A time in the URL, for the API: RFC 3339, or the word now. @param {string} name @returns {string} */
  time(name) {
    const value = this.params.get(name) ?? '';
    return value === 'now' ? new Date(serverTime()).toISOString() : value;
  }
}

/**
 * Reads a form of the class search, for the URL. Inputs of times have minutes only: a time that nobody has changed stays as it was.
 *
 * @param {HTMLFormElement} form
 * @param {URLSearchParams} before the present query
 * @returns {Record<string, string[]>}
 */
export function searched(form, before) {
  /** @type {Record<string, string[]>} */
  const params = {};
  for (const [name, given] of new FormData(form)) {
    const value = String(given).trim();
    const field = form.elements.namedItem(name);
    const isTime = field instanceof HTMLInputElement && field.type === 'datetime-local';
    const was = before.get(name) ?? '';
    const same = isTime && was && field.dataset.shown === value;
    (params[name] ??= []).push(same ? was : isTime ? fromInput(value) : value);
  }
  return params;
}
