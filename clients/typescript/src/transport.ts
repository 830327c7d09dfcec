import { readFileSync, statSync } from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { createSecureContext } from "node:tls";
import { ApiError, KairosError, NodesUnavailableError, apiError } from "./errors.js";

/** Where nodes are, and who calls. */
export interface ConnectionOptions {
  /** host:port, http://host:port or https://host:port; several by commas or as an array. Default: KAIROS_ADDRESS, else 127.0.0.1:7070. */
  addresses?: string | readonly string[];
  /** Default: KAIROS_TOKEN. A function is asked before each call. */
  token?: string | (() => string);
  /** A file with the token, which is read again when it changes. */
  tokenFile?: string;
  /** CA certificates of nodes, in PEM. Default: those of Node. */
  caFile?: string;
  /** Certificate that is shown to nodes, with its chain, in PEM. */
  certificateFile?: string;
  /** Private key of the certificate, in PEM. */
  keyFile?: string;
}

type Body = Record<string, unknown>;

type Answer = Record<string, any>;

/** Of one answer; a larger one is not read. */
const MOST_ANSWER_BYTES = 128 << 20;
const ATTEMPTS = 6;
const FIRST_REST = 100;
const LONGEST_REST = 2_000;
/** A node closes connections that are idle for longer, and a call on one of these would be lost. */
const LONGEST_IDLE = 5_000;
/** Of Node; a longer one would run out at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;
/** When no node may be called for longer, the call fails at once. */
const LONGEST_WAIT = 10_000;

export class NodeAddress {
  failures = 0;
  restsUntil = 0;
  constructor(
    readonly url: URL,
    readonly agent: http.Agent,
    /** Of a connection that is not the agent's. */
    readonly tls: https.RequestOptions,
  ) {}
  toString(): string {
    return this.url.origin;
  }
}

/** Chooses the node of each call, in turn. One that failed rests, longer after each failure. Shares connections with others made of the same. */
export class Transport {
  readonly #nodes: readonly NodeAddress[];
  readonly #token: () => string | undefined;
  #turn = Math.floor(Math.random() * 1_000);

  constructor(options: ConnectionOptions) {
    const tls = tlsOf(options);
    this.#token = tokenOf(options);
    const given = options.addresses ?? process.env["KAIROS_ADDRESS"] ?? "127.0.0.1:7070";
    const texts = (typeof given === "string" ? [given] : given).flatMap((one) => one.split(","));
    const keep = { keepAlive: true, timeout: LONGEST_IDLE };
    this.#nodes = texts.map((text) => {
      const url = urlOf(text.trim());
      return new NodeAddress(url, url.protocol === "https:" ? new https.Agent({ ...keep, ...tls }) : new http.Agent(keep), tls);
    });
  }

  get nodes(): readonly NodeAddress[] {
    return this.#nodes;
  }

  /** The next node that does not rest, or the one whose rest ends first; and the milliseconds left of that. */
  next(): { node: NodeAddress; rest: number } {
    const now = performance.now();
    this.#turn++;
    const order = this.#nodes.map((_, i) => this.#nodes[(this.#turn + i) % this.#nodes.length] as NodeAddress);
    const node = order.find((one) => one.restsUntil <= now) ?? order.reduce((a, b) => (b.restsUntil < a.restsUntil ? b : a));
    return { node, rest: Math.max(0, node.restsUntil - now) };
  }

  /** Lets the node rest; true when it is the first failure in a row. */
  failed(node: NodeAddress, error?: unknown): boolean {
    node.restsUntil = performance.now() + restAfter(node.failures, error);
    node.failures++;
    return node.failures === 1;
  }

  works(node: NodeAddress): void {
    node.failures = 0;
    node.restsUntil = 0;
  }

  /**
   * Calls one node after the other, until one has answered, six times at most. After a failure by which the call may have taken effect only an
   * idempotent call is repeated. A refusal with 429 makes this call wait, and no other; when nodes ask for a longer wait than LONGEST_WAIT, the call
   * fails at once.
   */
  async call(method: string, path: string, body: Body | undefined, options: { idempotent: boolean; timeout: number }): Promise<Answer> {
    let failure: unknown;
    let pause = 0;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { node, rest } = this.next();
      if (Math.max(rest, pause) > LONGEST_WAIT) {
        const text = `${node} has asked not to be called for ${Math.round(rest / 1_000)} more seconds, and there is no other node`;
        failure ??= new NodesUnavailableError(text, false, { retryAfter: rest });
        break;
      }
      await sleep(Math.max(rest, pause));
      pause = 0;
      try {
        const answer = await this.once(node, method, path, body, options.timeout, options.idempotent);
        this.works(node);
        return answer;
      } catch (e) {
        failure = e;
        if (e instanceof ApiError) {
          if (![429, 500, 502, 503, 504].includes(e.status)) {
            this.works(node);
            throw e;
          }
          if (!e.nothingDone && !(options.idempotent && e.status !== 429)) {
            throw e;
          }
          if (e.status === 429) {
            this.works(node);
            pause = restAfter(attempt, e);
            continue;
          }
        } else if (!(e instanceof NodesUnavailableError) || (e.mayHaveTakenEffect && !options.idempotent)) {
          throw e;
        }
        this.failed(node, e);
      }
    }
    throw failure;
  }

  /** One call of one node. An idempotent call is made on a new connection when the node had closed the one that was idle. */
  async once(node: NodeAddress, method: string, path: string, body: Body | undefined, timeout: number, idempotent = true): Promise<Answer> {
    if (!path.startsWith("/")) {
      throw new TypeError(`path: must begin with a slash, not ${JSON.stringify(path)}`);
    }
    const data = body === undefined && method === "GET" ? undefined : Buffer.from(JSON.stringify(body ?? {}));
    const token = this.#token();
    const headers: Record<string, string | number> = { accept: "application/json" };
    if (data !== undefined) {
      headers["content-type"] = "application/json";
      headers["content-length"] = data.length;
    }
    if (token) {
      headers["authorization"] = `Bearer ${token}`;
    }
    const until = performance.now() + timeout;
    const sending = { node, method, path, headers, data };
    try {
      return await send(sending, node.agent, timeout);
    } catch (e) {
      const left = until - performance.now();
      if (!(e instanceof StaleConnectionError) || !idempotent || left <= 0) {
        throw e;
      }
      return send(sending, false, left);
    }
  }

  close(): void {
    this.#nodes.forEach((one) => one.agent.destroy());
  }
}

/** The node had closed a connection that was idle, or has died: nobody can tell. */
class StaleConnectionError extends NodesUnavailableError {
  override name = "NodesUnavailableError";
}

interface Sending {
  node: NodeAddress;
  method: string;
  path: string;
  headers: Record<string, string | number>;
  data: Buffer | undefined;
}

/** With false as agent on a connection of its own. */
function send({ node, method, path, headers, data }: Sending, agent: http.Agent | false, timeout: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let sent = false;
    let late = false;
    const secure = node.url.protocol === "https:";
    // Each by itself: a path with two slashes would be another host in a URL.
    const to = { hostname: node.url.hostname.replace(/^\[|\]$/g, ""), port: node.url.port || (secure ? 443 : 80), path, method, headers };
    const request = (secure ? https : http).request({ ...to, ...(agent === false && node.tls), agent });
    const timer = setTimeout(() => {
      late = true;
      request.destroy();
    }, Math.min(timeout, LONGEST_TIMER));
    const fail = (cause: Error & { code?: string }) => {
      clearTimeout(timer);
      const reason = late ? "no answer in time" : cause.message || cause.code || cause.name;
      const stale = !late && request.reusedSocket && ["ECONNRESET", "EPIPE"].includes(cause.code ?? "");
      reject(new (stale ? StaleConnectionError : NodesUnavailableError)(`${node}: ${reason}`, sent, { cause }));
    };
    request.on("socket", (socket) => {
      if (socket.connecting) {
        socket.once(secure ? "secureConnect" : "connect", () => (sent = true));
      } else {
        sent = true;
      }
    });
    request.on("error", fail);
    request.on("close", () => fail(new Error("the connection was closed"))); // nothing, when it has been settled
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > MOST_ANSWER_BYTES) {
          request.destroy(new Error(`the answer has more than ${MOST_ANSWER_BYTES} bytes`));
        } else {
          chunks.push(chunk);
        }
      });
      response.on("error", fail);
      response.on("end", () => {
        clearTimeout(timer);
        try {
          resolve(answerOf(node, response, Buffer.concat(chunks)));
        } catch (e) {
          reject(e);
        }
      });
    });
    request.end(data);
  });
}

/** Milliseconds until the next call: longer after each failure, and at least what the node asks for. */
function restAfter(failures: number, error: unknown): number {
  const rest = Math.min(LONGEST_REST, FIRST_REST * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);
  return Math.max(rest, error instanceof KairosError ? (error.retryAfter ?? 0) : 0);
}

function answerOf(node: NodeAddress, response: http.IncomingMessage, content: Buffer): Answer {
  const status = response.statusCode ?? 0;
  let value: unknown;
  try {
    value = content.length === 0 ? {} : JSON.parse(content.toString());
  } catch {
    value = undefined;
  }
  const object = typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Answer) : undefined;
  if (status < 200 || status >= 300) {
    const problem = object ?? { detail: `${node} answered HTTP ${status} ${response.statusMessage ?? ""}` };
    throw apiError(status, problem, retryAfterOf(response.headers["retry-after"]));
  }
  if (object === undefined) {
    throw new NodesUnavailableError(`${node} answered something that is not a JSON object: is it a node of Kairos?`, true);
  }
  return object;
}

function retryAfterOf(header: string | undefined): number | undefined {
  const seconds = Number(header ?? "none");
  return Number.isFinite(seconds) ? Math.min(3_600, Math.max(0, seconds)) * 1_000 : undefined;
}

function urlOf(text: string): URL {
  let url: URL | undefined;
  try {
    url = new URL(text.includes("//") ? text : `http://${text}`);
  } catch {
    url = undefined;
  }
  // URL leaves out a port that is the scheme's own.
  if (url === undefined || !/^https?:$/.test(url.protocol) || !/:\d+\/?$/.test(text) || url.pathname !== "/") {
    throw new TypeError(`address ${JSON.stringify(text)}: must be host:port, http://host:port or https://host:port`);
  }
  return url;
}

function tokenOf(options: ConnectionOptions): () => string | undefined {
  const { token, tokenFile } = options;
  if (token !== undefined && tokenFile !== undefined) {
    throw new TypeError("token and tokenFile: give one of them");
  }
  if (tokenFile !== undefined) {
    let last = { changed: -1, token: sendableToken(read("tokenFile", tokenFile)) };
    return () => {
      const found = changedText(tokenFile, last.changed);
      if (found !== undefined) {
        last = { changed: found.changed, token: sendableToken(found.text) || last.token };
      }
      return last.token;
    };
  }
  if (typeof token === "function") {
    return () => sendableToken(token());
  }
  const given = token ?? process.env["KAIROS_TOKEN"];
  const sendable = given === undefined ? undefined : sendableToken(given);
  return () => sendable;
}

/** What a file says if it has changed; not while it is away or cannot be read, so that the last token stays. */
function changedText(file: string, since: number): { changed: number; text: string } | undefined {
  try {
    const changed = statSync(file).mtimeMs;
    return changed === since ? undefined : { changed, text: readFileSync(file, "utf8") };
  } catch {
    return undefined;
  }
}

/** Without the blanks around it. No text quotes the token. */
function sendableToken(token: string): string {
  const text = typeof token === "string" ? token.trim() : undefined;
  if (text === undefined || !/^[\x20-\x7e]*$/.test(text)) {
    throw new TypeError("token: must be a text without control characters and characters beyond ASCII, which no header can have");
  }
  return text;
}

function tlsOf(options: ConnectionOptions): { ca?: string; cert?: string; key?: string } {
  const { caFile, certificateFile, keyFile } = options;
  if ((certificateFile === undefined) !== (keyFile === undefined)) {
    throw new TypeError("certificateFile and keyFile: give both or neither");
  }
  const files = {
    ...(caFile !== undefined && { ca: read("caFile", caFile) }),
    ...(certificateFile !== undefined && { cert: read("certificateFile", certificateFile) }),
    ...(keyFile !== undefined && { key: read("keyFile", keyFile) }),
  };
  if (files.ca !== undefined && !files.ca.includes("-----BEGIN CERTIFICATE-----")) {
    throw new TypeError(`caFile: ${caFile} has no certificates in PEM`);
  }
  try {
    createSecureContext(files);
  } catch (e) {
    throw new TypeError(`certificateFile ${certificateFile} and keyFile ${keyFile} cannot be used: ${e instanceof Error ? e.message : e}`);
  }
  return files;
}

function read(name: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (e) {
    throw new TypeError(`${name}: ${file} cannot be read: ${e instanceof Error ? e.message : e}`);
  }
}
