import { ToolwrightError } from '../errors/toolwright-error.ts';
import { isBase64, toBase64 } from './base64.ts';
import { describeReceived } from './issue.ts';

/** What a content helper throws for an argument that no client could read. */
export function invalidContent(helper: string, what: string, fix: string): ToolwrightError {
  return new ToolwrightError('TW_CONTENT_INVALID', { where: `${helper}()`, what, fix });
}

export function checkString(helper: string, name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw invalidContent(helper, `got ${describeReceived(value)} for ${name}.`, `pass ${name} as a string`);
}

export function checkFilled(helper: string, name: string, value: unknown): string {
  const text = checkString(helper, name, value);
  if (text.trim() !== '') return text;
  throw invalidContent(helper, `got an empty ${name}.`, `pass ${name} as a string that is not empty`);
}

/** A media type needs both of its halves (RFC 6838, section 4.2). */
export function checkMimeType(helper: string, value: unknown): string {
  const text = checkFilled(helper, 'mimeType', value);
  if (/^[^\s/;]+\/[^\s/;]+\s*(;.*)?$/.test(text)) return text;
  throw invalidContent(
    helper,
    `got ${JSON.stringify(text)} for mimeType.`,
    'write type and subtype, such as "image/png"',
  );
}

/** Bytes become base64; a text has to be base64 already. */
export function checkBase64(helper: string, name: string, value: unknown): string {
  if (ArrayBuffer.isView(value)) return toBase64(value);
  const fix = 'pass the bytes as a Uint8Array, or base64 text with padding and without a data: prefix';
  if (typeof value !== 'string') {
    throw invalidContent(helper, `got ${describeReceived(value)} for ${name}.`, fix);
  }
  if (isBase64(value)) return value;
  throw invalidContent(helper, `got a text for ${name} that is not base64.`, fix);
}
