/** Bytes as base64 text (RFC 4648, section 4: the standard alphabet, with padding). */
export function toBase64(bytes: ArrayBufferView): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** True for base64 text that every decoder reads; the alphabet for URLs is another one. */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  return !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ''));
}
