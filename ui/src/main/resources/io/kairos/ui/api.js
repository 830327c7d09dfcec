// Calls of the node's REST API, and the session.
import { search } from './link.js';

/**
 * @typedef {object} Session
 * @property {'node' | 'replica'} kind what the process is
 * @property {string} version
 * @property {'none' | 'needed' | 'done'} login
 * @property {string} [caller]
 * @property {string[]} [roles]
 * @property {boolean} [readOnly]
 * @property {string[]} [issuers] names of the identity providers to log in by
 * @property {string} [expiresAt]
 * @property {string} [traceUrl] where the page of a trace is, with {trace_id} in place of its id
 * @property {Record<string, boolean>} [methods] what this caller may call
 */

/** An answer that is an error: a problem of RFC 9457, or no answer at all (status 0). */
export class ApiError extends Error {
  /** @param {{title?: string, detail?: string, status: number, type?: string, code?: string, field?: string}} problem */
  constructor(problem) {
    super(problem.detail || problem.title || `HTTP ${problem.status}`);
    this.title = problem.title ?? '';
    this.detail = problem.detail ?? '';
    this.status = problem.status;
    this.type = problem.type ?? '';
    this.code = problem.code ?? '';
    this.field = problem.field ?? '';
  }
}

/** Tells that the session is over, and that it may have changed. */
export const sessions = new EventTarget();

/** How long an answer is waited for: one that is read, and one of an action, which may be large. */
const READ_SECONDS = 30;
const ACTION_SECONDS = 120;

/** The node's clock minus the browser's, in milliseconds, as far as the header Date of an answer shows it. */
let skewMillis = 0;

/** @returns {number} the time by the node's clock, in milliseconds: what is asked for by time must not depend on the browser's clock */
export function serverTime() {
  return Date.now() + skewMillis;
}

/** A refusal is worth another look at what the caller may do, but not at each call. */
const LOOK_AGAIN_MILLIS = 60_000;
let readAt = 0;

/** @type {Session} */
let session = { kind: 'node', version: '', login: 'none' };

/**
 * A path with names in it, escaped: path`/v1/tasks/${id}:cancel`.
 *
 * @param {TemplateStringsArray} parts
 * @param {...(string | number)} names
 */
export function path(parts, ...names) {
  return String.raw({ raw: parts }, ...names.map((name) => encodeURIComponent(name)));
}

/**
 * Calls the API.
 *
 * @param {'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} method
 * @param {string} to the path; names in it are escaped, as path does
 * @param {{params?: Record<string, unknown>, body?: unknown, signal?: AbortSignal}} [options]
 *     params: the query; those that are empty are left out, lists are repeated
 * @returns {Promise<any>} the answer
 * @throws {ApiError}
 */
export async function call(method, to, { params = {}, body, signal } = {}) {
  const query = search(params);
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const wait = method === 'GET' ? READ_SECONDS : ACTION_SECONDS;
  const began = Date.now();
  /** @type {Response} */
  let answer;
  /** @type {any} */
  let content;
  try {
    answer = await fetch(to + (query.size ? `?${query}` : ''), {
      method,
      signal: AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(wait * 1000)]),
      cache: 'no-store',
      credentials: 'same-origin',
      headers: { accept: 'application/json', 'x-kairos-ui': '1', ...(hasBody ? { 'content-type': 'application/json' } : {}) },
      body: hasBody ? JSON.stringify(body ?? {}) : undefined,
    });
    content = answer.status === 204 ? {} : await (answer.ok ? answer.json() : answer.json().catch(() => ({})));
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError({
      status: 0,
      title: 'The node does not answer',
      detail:
        (error instanceof DOMException && error.name === 'TimeoutError'
          ? `No answer from the node for ${wait} seconds.`
          : 'No answer from the node. It may be stopped, or the network is away.') +
        (method === 'GET' ? '' : ' Whether it has done what was asked is not known.'),
    });
  }
  setClock(Date.parse(answer.headers.get('date') ?? ''), began);
  if (answer.ok) return content;
  if (answer.status === 401 && to.startsWith('/v1/')) sessions.dispatchEvent(new Event('over'));
  if (answer.status === 403 && to.startsWith('/v1/') && Date.now() - readAt > LOOK_AGAIN_MILLIS) {
    readAt = Date.now();
    sessions.dispatchEvent(new Event('changed'));
  }
  throw new ApiError({ ...content, status: answer.status });
}

/**
 * The header Date has whole seconds and was written between the call and its answer. Only a difference of the clocks that cannot
 * be is corrected, so that times do not jump.
 *
 * @param {number} date milliseconds, or NaN @param {number} began when the call began, by the browser's clock
 */
function setClock(date, began) {
  const least = date - Date.now();
  const most = date + 1000 - began;
  if (skewMillis < least || skewMillis > most) skewMillis = (least + most) / 2;
}

/** @returns {Session} the session as last read */
export function currentSession() {
  return session;
}

/** Reads the session. @returns {Promise<Session>} */
export async function readSession() {
  session = await call('GET', '/ui/session');
  readAt = Date.now();
  return session;
}

/** @param {string} token */
export async function logIn(token) {
  await call('POST', '/ui/login', { body: { token } });
  return readSession();
}

export async function logOut() {
  await call('POST', '/ui/logout');
  return readSession();
}

/**
 * True when the caller may call a method, such as TaskService/CancelTask. Buttons for other methods are not shown; the node
 * refuses them all the same.
 *
 * @param {string} method
 */
export function may(method) {
  return session.methods ? session.methods[`kairos.v1.${method}`] === true : !session.readOnly;
}
