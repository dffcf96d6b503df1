/** This machine, as URLs that browsers write name it. */
export const LOOPBACK_NAMES: readonly string[] = Object.freeze(['localhost', '127.0.0.1', '[::1]']);

/** Its names in a URL as it was typed: other spellings of its addresses are not taken. */
const WRITTEN = 'http://(?:localhost|127\\.0\\.0\\.1|\\[::1\\])';
const WRITTEN_START = new RegExp(`^${WRITTEN}(?=[:/]|$)`);
const WRITTEN_REDIRECT = new RegExp(`^${WRITTEN}(?::\\d{1,5})?(?:[/?][^#]*)?$`);

/** Whether only this machine reaches the address, written as Node writes the addresses of sockets. */
export function isLoopbackAddress(address: string): boolean {
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$/i.test(address) || address === '::1';
}

/** Whether a URL names this machine as browsers do. */
export function isLoopbackUrl(url: URL): boolean {
  return LOOPBACK_NAMES.includes(url.hostname);
}

/** Whether a URL reaches this machine under any name: RFC 6761, 6.3, and all of 127.0.0.0/8. */
export function reachesLoopback(url: URL): boolean {
  return /^((.+\.)?localhost\.?|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}

/** Whether a URL without TLS is written with a name of this machine. */
export function isWrittenAsLoopback(url: string): boolean {
  return WRITTEN_START.test(url);
}

/** Whether a redirect URI leads to a program on the computer of its user (RFC 8252, 7.3). */
export function isLoopbackRedirect(uri: string): boolean {
  return WRITTEN_REDIRECT.test(uri);
}
