// Links and the URL. All state of a view is in its URL, so that a link shows another person the same.

/** @typedef {{path: string, params: URLSearchParams, args: Record<string, string>}} Route */

const ROOT = '/ui/';
const changes = new EventTarget();

/**
 * The URL of a view, such as href('tasks', {state: 'DEAD'}). Parameters that are empty are left out, lists are repeated.
 *
 * @param {string} path below /ui/; names in it are escaped with segment()
 * @param {Record<string, unknown> | URLSearchParams} [params]
 * @returns {string}
 */
export function href(path, params) {
  const query = params instanceof URLSearchParams ? params : search(params ?? {});
  return ROOT + path + (query.size ? `?${query}` : '');
}

/** @param {string} name @returns {string} the name as one part of a path */
export function segment(name) {
  return encodeURIComponent(name);
}

/** @param {Record<string, unknown>} params @returns {URLSearchParams} */
export function search(params) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null && each !== '' && each !== false) query.append(name, String(each));
    }
  }
  return query;
}

/** @returns {Route} the present view, without the arguments in its path */
export function here() {
  const path = location.pathname.startsWith(ROOT) ? location.pathname.slice(ROOT.length).replace(/\/$/, '') : '';
  return { path, params: new URLSearchParams(location.search), args: {} };
}

/**
 * Goes to a view.
 *
 * @param {string} to its URL
 * @param {{replace?: boolean}} [options] replace: the back button skips the present view
 */
export function go(to, { replace = false } = {}) {
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  changes.dispatchEvent(new Event('change'));
}

/**
 * Changes parameters of the present view: the empty ones are removed.
 *
 * @param {Record<string, unknown>} params
 * @param {{replace?: boolean}} [options]
 */
export function setParams(params, options) {
  const { path, params: query } = here();
  for (const name of Object.keys(params)) query.delete(name);
  for (const [name, value] of search(params)) query.append(name, value);
  go(href(path, query), options);
}

/**
 * @param {() => void} listener is called when the view has changed
 * @returns {() => void} ends this
 */
export function onChange(listener) {
  changes.addEventListener('change', listener);
  addEventListener('popstate', listener);
  return () => {
    changes.removeEventListener('change', listener);
    removeEventListener('popstate', listener);
  };
}

// Links to views change the view without loading the page again.
addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const given = link?.getAttribute('href');
  if (!link || !given || link.hasAttribute('target') || link.hasAttribute('download') || given.startsWith('#')) return;
  // By the attribute: links in drawings have other properties than those in text.
  const to = new URL(given, location.href);
  const served = to.pathname.startsWith('/ui/login/');
  if (to.origin !== location.origin || !to.pathname.startsWith(ROOT) || served) return;
  event.preventDefault();
  if (to.href !== location.href) go(to.href);
});
