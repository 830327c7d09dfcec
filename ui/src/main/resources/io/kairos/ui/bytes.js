// Bytes of the API, which are base64 there, and texts.

const HEX_BYTES = 256;

/** @param {string | undefined} base64 @returns {Uint8Array} */
export function fromBase64(base64) {
  return Uint8Array.from(atob(base64 ?? ''), (each) => each.charCodeAt(0));
}

/** @param {string} text @returns {string} its UTF-8 in base64 */
export function toBase64(text) {
  let all = '';
  for (const each of new TextEncoder().encode(text)) all += String.fromCharCode(each);
  return btoa(all);
}

/**
 * @param {string | undefined} base64
 * @param {boolean} [isPart] true when a character may be cut at the end
 * @returns {string | undefined} the text; undefined when the bytes are not UTF-8
 */
export function utf8(base64, isPart = false) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fromBase64(base64), { stream: isPart });
  } catch {
    return undefined;
  }
}

/**
 * Bytes as people read them: text when they are UTF-8, else the first of them in hexadecimal digits.
 *
 * @param {string | undefined} base64
 * @param {boolean} [isPart] true when a character may be cut at the end
 */
export function readable(base64, isPart = false) {
  const text = utf8(base64, isPart);
  if (text !== undefined) return text;
  const raw = fromBase64(base64);
  const digits = Array.from(raw.subarray(0, HEX_BYTES), (each) => each.toString(16).padStart(2, '0')).join(' ');
  return raw.length > HEX_BYTES ? `${digits} …` : digits;
}

/** Headers for the API. @param {string} text lines such as name: value @returns {{name: string, value: string}[]} */
export function headersOf(text) {
  return text
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => {
      const at = line.indexOf(':');
      if (at < 1) throw new Error(`A header is a name, a colon and a value: ${line}`);
      return { name: line.slice(0, at).trim(), value: toBase64(line.slice(at + 1).trim()) };
    });
}

/** An id for a call that must be done once however often it is repeated. */
export function requestId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (each) => each.toString(16).padStart(2, '0')).join('');
}
