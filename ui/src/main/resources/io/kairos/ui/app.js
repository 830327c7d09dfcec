// The frame: navigation, login, theme and keys. It shows the screen that the URL names.
import { KElement, html, nothing } from './element.js';
import { currentSession, logIn, logOut, may, readSession, sessions } from './api.js';
import { go, here, href, onChange, search } from './link.js';
import { SCREENS, find } from './screens.js';
import { plain, when } from './format.js';
import './part/basic.js';
import './part/dialog.js';

const THEMES = ['system', 'light', 'dark'];
const SAID_MILLIS = 6000;
/** Why a login by an issuer has failed, as the node says in the URL. @type {Record<string, string>} */
const LOGIN_PROBLEMS = {
  denied: 'The identity provider has refused the login.',
  expired: 'The login took too long, or was started in another browser. Start again.',
  provider: 'The identity provider does not answer as it should. The log of the node says more.',
  keys: 'This node is fetching the keys of the identity provider. Try again in some seconds. If it goes on, the log of the node says why.',
  token: 'The token of the identity provider is not valid. The log of the node says why.',
  roles: 'You have no role here. Somebody must give you one: see http.issuers in the configuration.',
  busy: 'Too many people log in at the moment. Try again in a minute.',
};

/** @returns {string} */
function chosenTheme() {
  return document.documentElement.dataset.theme ?? 'system';
}

/** Keys without Ctrl or Alt can be in the way of speech input, so they can be switched off. */
function keysAreOn() {
  return stored('kairos-keys') !== 'off';
}

/** @param {string} name @returns {string | null} */
function stored(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Without storage a choice lasts as long as the page. @param {string} name @param {string} value */
function store(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // See above.
  }
}

/** @param {string} theme */
function chooseTheme(theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  store('kairos-theme', theme);
  dispatchEvent(new Event('k-theme'));
}

class AppElement extends KElement {
  static properties = {
    session: { state: true },
    error: { state: true },
    route: { state: true },
    said: { state: true },
    keys: { state: true },
    open: { state: true },
    refused: { state: true },
  };

  constructor() {
    super();
    /** @type {import('./api.js').Session | undefined} */
    this.session = undefined;
    /** @type {unknown} */
    this.error = undefined;
    this.route = here();
    this.said = '';
    this.keys = false;
    this.open = false;
    /** Why the last login failed. @type {unknown} */
    this.refused = undefined;
    /** The screen that is shown. @type {import('./element.js').Screen | undefined} */
    this.screen = undefined;
    this.shown = '';
    /** When the key g was pressed, in milliseconds. */
    this.prefixAt = 0;
    /** True while the search of the next screen is to have the focus. */
    this.seeking = false;
    /** The entry of the screen that is shown. @type {import('./screens.js').ScreenEntry | undefined} */
    this.entry = undefined;
    this.at = '';
    /** Whose answers the screen may show. @type {string | undefined} */
    this.caller = undefined;
    onChange(() => {
      this.route = here();
      this.open = false;
    });
    for (const event of ['over', 'changed']) sessions.addEventListener(event, () => void this.load());
    addEventListener('k-say', (event) => this.tell(/** @type {CustomEvent<string>} */ (event).detail));
    addEventListener('keydown', (event) => this.key(event));
    void this.load();
    // The module of the screen comes while the session is asked for; whether it can be loaded is said when it is shown.
    const first = find(this.route.path)?.entry.name;
    if (first) import(`./screen/${first}.js`).catch(() => {});
  }

  async load() {
    try {
      this.session = await readSession();
      this.error = undefined;
    } catch (error) {
      this.error = error;
    }
  }

  /** @param {string} text */
  tell(text) {
    this.said = text;
    setTimeout(() => {
      if (this.said === text) this.said = '';
    }, SAID_MILLIS);
  }

  /** The entries of the navigation for this process and caller. */
  entries() {
    const { kind } = currentSession();
    return SCREENS.filter((entry) => entry.on === kind && may(entry.needs));
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('session') && this.session && this.session.login !== 'needed' && this.session.caller !== this.caller) {
      // What another person has seen is not shown.
      this.caller = this.session.caller;
      this.screen = undefined;
      this.shown = '';
    }
    if (this.session && this.session.login !== 'needed' && (changed.has('route') || changed.has('session'))) this.show();
  }

  show() {
    this.error = undefined;
    // Whoever is logged in needs no login; this sets the route.
    if (this.route.path === 'login') go('/ui/', { replace: true });
    let found = find(this.route.path);
    const first = this.entries()[0];
    if (!this.route.path && first && !this.entries().some((entry) => !entry.path)) found = { entry: first, args: {} };
    this.entry = found?.entry;
    document.title = found ? `${plain(Object.values(found.args)[0] ?? found.entry.title)} · Kairos` : 'Kairos';
    if (!found || this.obstacle()) {
      this.screen = undefined;
      this.shown = '';
      return;
    }
    const { entry, args } = found;
    const route = { ...this.route, args };
    if (this.shown === entry.name && this.screen) {
      this.screen.route = route;
      if (this.at !== this.route.path) void this.focusHeading();
    } else {
      this.shown = entry.name;
      this.screen = undefined;
      import(`./screen/${entry.name}.js`).then(
        () => {
          if (this.shown !== entry.name) return;
          const screen = /** @type {import('./element.js').Screen} */ (document.createElement(`k-${entry.name}`));
          screen.route = { ...here(), args: find(here().path)?.args ?? args };
          this.screen = screen;
          this.requestUpdate();
          void this.focusHeading();
        },
        (error) => {
          this.error = new Error(
            `The screen ${entry.title} could not be loaded. Reload the page: the node may have another version by now. ${error instanceof Error ? error.message : error}`,
          );
        },
      );
    }
    this.at = this.route.path;
  }

  /** Why the page is not shown; empty when it is. @returns {string} */
  obstacle() {
    const entry = this.entry;
    const { kind } = currentSession();
    if (!entry) return 'There is no page of this address.';
    if (entry.on !== kind) return `This is a ${kind}, which has no such page.`;
    if (may(entry.needs)) return '';
    return this.entries().length ? 'Your roles do not show you this page.' : 'Your roles show you nothing here.';
  }

  /** After a change of the screen, the focus is at its start, as after a page has been loaded. */
  async focusHeading() {
    scrollTo(0, 0);
    await this.updateComplete;
    await this.screen?.updateComplete;
    const field = /** @type {HTMLElement | null} */ (this.seeking ? this.querySelector('[data-search]') : null);
    this.seeking = false;
    if (field) return field.focus();
    if (document.activeElement !== document.body) this.querySelector('main')?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const typing = target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
    if (!keysAreOn() || event.ctrlKey || event.metaKey || event.altKey || typing || document.querySelector('dialog[open]')) return;
    if (event.key === '/') {
      event.preventDefault();
      const field = /** @type {HTMLElement | null} */ (this.querySelector('[data-search]'));
      if (field) field.focus();
      else {
        this.seeking = true;
        go(href('tasks'));
      }
    } else if (event.key === '?') {
      this.keys = true;
    } else if (event.key === 'g') {
      this.prefixAt = Date.now();
      return;
    } else if (Date.now() - this.prefixAt < 1500) {
      const entry = this.entries().find((each) => each.key === event.key);
      if (entry) go(href(entry.path));
    }
    this.prefixAt = 0;
  }

  /** @param {SubmitEvent} event */
  async login(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    try {
      this.refused = undefined;
      this.session = await logIn(String(new FormData(form).get('token')).trim());
    } catch (error) {
      this.refused = error;
    }
  }

  async leave() {
    try {
      this.session = await logOut();
      this.shown = '';
      this.screen = undefined;
    } catch (error) {
      this.error = error;
    }
  }

  render() {
    if (!this.session)
      return this.error
        ? html`<main class="alone">
            <h1>Kairos</h1>
            <k-problem .error=${this.error}></k-problem>
            <p><button type="button" @click=${this.load}>Try again</button></p>
          </main>`
        : nothing;
    if (this.session.login === 'needed') return this.renderLogin(this.session);
    return html`<a class="skip" href="#main" @click=${this.skip}>Skip to the content</a>
      ${this.renderHeader(this.session)}
      <main id="main" tabindex="-1">
        ${this.error ? html`<k-problem .error=${this.error}></k-problem>` : nothing}
        ${this.obstacle()
          ? html`<h1>${this.entry?.title ?? 'No such page'}</h1>
              <p>${this.obstacle()} ${this.entries().length ? html`<a href="/ui/">The first page</a>` : nothing}</p>`
          : (this.screen ?? nothing)}
      </main>
      <div class="said" role="status">${this.said ? html`<p>${this.said}</p>` : nothing}</div>
      ${this.keys ? this.renderKeys() : nothing}`;
  }

  /** @param {Event} event */
  skip(event) {
    event.preventDefault();
    this.querySelector('main')?.focus();
  }

  /** @param {import('./api.js').Session} session */
  renderHeader(session) {
    const entries = this.entries();
    const groups = [...new Set(entries.flatMap((entry) => entry.group ?? []))];
    const top = this.route.path.split('/')[0];
    const theme = chosenTheme();
    return html`<header class=${this.open ? 'open' : ''}>
      <a class="brand" href="/ui/"><img src="/ui/icon.svg" alt="" width="24" height="24" />Kairos</a>
      <button type="button" class="menu" aria-expanded=${this.open} aria-controls="menu" @click=${() => (this.open = !this.open)}>
        Menu
      </button>
      <div id="menu">
        <nav aria-label="Screens">
          ${groups.map(
            (group) =>
              html`<h2>${group}</h2>
                <ul>
                  ${entries
                    .filter((entry) => entry.group === group)
                    .map(
                      (entry) =>
                        html`<li>
                          <a
                            href=${href(entry.path)}
                            aria-current=${entry.path === top ? 'page' : nothing}
                            @click=${() => (this.open = false)}
                            >${entry.title}</a
                          >
                        </li>`,
                    )}
                </ul>`,
          )}
        </nav>
        <div class="who">
          <label
            >Theme
            <select @change=${(/** @type {Event} */ event) => chooseTheme(/** @type {HTMLSelectElement} */ (event.target).value)}>
              ${THEMES.map((each) => html`<option value=${each} ?selected=${each === theme}>${each}</option>`)}
            </select>
          </label>
          <button type="button" class="small quiet" @click=${() => (this.keys = true)}>Keys</button>
          ${session.readOnly ? html`<span class="badge off">read only</span>` : nothing}
          ${session.login === 'done'
            ? html`<p title=${session.expiresAt ? `until ${when(session.expiresAt)}` : ''}>
                <bdi>${plain(session.caller)}</bdi> <button type="button" class="small quiet" @click=${this.leave}>Log out</button>
              </p>`
            : nothing}
          <p class="muted">${session.kind} ${session.version}</p>
        </div>
      </div>
    </header>`;
  }

  /** @param {import('./api.js').Session} session */
  renderLogin(session) {
    const problem = this.route.path === 'login' ? this.route.params.get('problem') : null;
    const to = this.route.path === 'login' ? '/ui/' : location.pathname + location.search;
    return html`<main class="alone">
      <h1><img src="/ui/icon.svg" alt="" width="32" height="32" /> Kairos</h1>
      ${problem ? html`<k-problem .error=${new Error(LOGIN_PROBLEMS[problem] ?? 'The login has failed.')}></k-problem>` : nothing}
      ${(session.issuers ?? []).map(
        (issuer) =>
          html`<p>
            <a class="button primary" href=${`/ui/login/${encodeURIComponent(issuer)}?${search({ to })}`}
              ><bdi>Log in with ${plain(issuer)}</bdi></a
            >
          </p>`,
      )}
      <form @submit=${this.login}>
        <input name="username" autocomplete="username" value="token" hidden />
        <label>Token of a caller <input name="token" type="password" required autocomplete="current-password" spellcheck="false" /></label>
        ${this.refused ? html`<k-problem .error=${this.refused}></k-problem>` : nothing}
        <button type="submit" class=${session.issuers?.length ? '' : 'primary'}>Log in</button>
      </form>
      <p class="muted">
        Tokens are those of <code>http.callers</code> in the node's configuration. The session stays in this browser and ends by itself.
      </p>
    </main>`;
  }

  renderKeys() {
    const entries = this.entries().filter((entry) => entry.key);
    return html`<k-keys
      .rows=${[['/', 'search'], ...entries.map((entry) => [`g ${entry.key}`, entry.title]), ['?', 'these keys'], ['Esc', 'back']]}
      @close=${() => (this.keys = false)}
    ></k-keys>`;
  }
}
customElements.define('k-app', AppElement);

/** The list of the keys. */
class KeysElement extends KElement {
  static properties = { rows: { attribute: false } };

  constructor() {
    super();
    /** @type {string[][]} */
    this.rows = [];
  }

  firstUpdated() {
    this.querySelector('dialog')?.showModal();
  }

  render() {
    return html`<dialog aria-labelledby="keys-heading" @close=${() => this.dispatchEvent(new Event('close'))}>
      <form method="dialog">
        <h2 id="keys-heading">Keys</h2>
        <dl class="keys">
          ${this.rows.map(
            ([keys = '', text = '']) =>
              html`<div>
                <dt>${keys.split(' ').map((key) => html`<kbd>${key}</kbd> `)}</dt>
                <dd>${text}</dd>
              </div>`,
          )}
        </dl>
        <label class="check"
          ><input
            type="checkbox"
            .checked=${keysAreOn()}
            @change=${(/** @type {Event} */ event) =>
              store('kairos-keys', /** @type {HTMLInputElement} */ (event.target).checked ? 'on' : 'off')}
          />
          Keys are on</label
        >
        <p class="actions"><button type="submit">Close</button></p>
      </form>
    </dialog>`;
  }
}
customElements.define('k-keys', KeysElement);
