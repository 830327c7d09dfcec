// Asks the node again and again, without numbers that jump: the last answer stays until the next one is there.
import { ApiError } from './api.js';

const LONGEST_WAIT_SECONDS = 60;
/** Answers that the node is busy in a row, before they are shown as an error. */
const BUSY_TIMES = 3;

/**
 * A reactive controller that polls while its element is connected. It pauses in hidden tabs, waits longer after each error, and
 * ends a call that a newer one replaces.
 *
 * @template T
 */
export class Poll {
  /**
   * @param {import('lit').ReactiveControllerHost} host is rendered again after each answer
   * @param {number} seconds time between an answer and the next call; 0 to ask once
   * @param {(signal: AbortSignal, last: T | undefined) => Promise<T>} load asks; it gets the last answer too
   * @param {(last: T | undefined) => boolean} [rests] true while nothing new is to be expected, or the answer would move under a reader
   */
  constructor(host, seconds, load, rests = () => false) {
    this.host = host;
    this.seconds = seconds;
    this.load = load;
    this.rests = rests;
    /** The last answer. @type {T | undefined} */
    this.value = undefined;
    /** Why there is no newer answer. @type {unknown} */
    this.error = undefined;
    /** When the last answer came, in milliseconds. */
    this.at = 0;
    /** True while the first answer, or one for a changed question, is under way. */
    this.waiting = true;
    this.failures = 0;
    /** Parameters of the URL on which the question depends; undefined for all. @type {string[] | undefined} */
    this.names = undefined;
    /** Those that say what the answer is about. @type {string[]} */
    this.subject = [];
    this.connected = false;
    /** @type {AbortController | undefined} */
    this.running = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.seen = () => this.visible();
    host.addController(this);
  }

  /** Names the parameters of the URL on which the question depends: a change of others asks nothing. @param {...string} names */
  of(...names) {
    this.names = names;
    return this;
  }

  /** Names the parameters that say what the answer is about: when one changes, the last answer is forgotten. @param {...string} names */
  about(...names) {
    this.subject = names;
    return this;
  }

  hostConnected() {
    this.connected = true;
    document.addEventListener('visibilitychange', this.seen);
    void this.refresh();
  }

  hostDisconnected() {
    this.connected = false;
    document.removeEventListener('visibilitychange', this.seen);
    clearTimeout(this.timer);
    this.running?.abort();
  }

  /**
   * Asks another question.
   *
   * @param {boolean} forget true when the last answer is about something else and must not be shown any more
   */
  restart(forget) {
    if (forget) this.value = undefined;
    this.error = undefined;
    this.failures = 0;
    this.waiting = true;
    void this.refresh();
  }

  /** Asks now. It returns when the answer is there, also when it is an error, and at once when the element is shown no more. */
  async refresh() {
    if (!this.connected) return;
    clearTimeout(this.timer);
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    try {
      const value = await this.load(running.signal, this.value);
      if (running.signal.aborted) return;
      this.value = value;
      this.error = undefined;
      this.failures = 0;
      this.at = Date.now();
    } catch (error) {
      if (running.signal.aborted) return;
      this.failures++;
      // A node that is busy with such calls is asked again later; that is said only when it lasts.
      const busy = this.seconds > 0 && error instanceof ApiError && error.status === 429;
      if (!busy || this.failures > BUSY_TIMES) this.error = error;
      // The last answer is that of another question.
      if (this.waiting) this.value = undefined;
    }
    this.running = undefined;
    this.waiting = false;
    this.host.requestUpdate();
    this.plan();
  }

  plan() {
    clearTimeout(this.timer);
    if (!this.connected || !this.seconds || document.hidden || this.rests(this.value)) return;
    const wait = Math.min(this.seconds * 2 ** Math.min(this.failures, 6), Math.max(this.seconds, LONGEST_WAIT_SECONDS));
    this.timer = setTimeout(() => void this.refresh(), wait * 1000);
  }

  visible() {
    // A call that is under way plans the next one.
    if (this.running) return;
    clearTimeout(this.timer);
    if (!document.hidden && this.seconds && !this.rests(this.value)) {
      if (Date.now() - this.at >= this.seconds * 1000) void this.refresh();
      else this.plan();
    }
  }
}
