import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { PlainObject } from '../../shared/json.ts';
import { refusedValue, scalarText, type BodyForm, type BodyPart } from './parameter-forms.ts';

/** A body, and what it is. */
export interface WrittenBody {
  readonly content: string | Uint8Array;
  readonly mediaType: string;
}

/** The bytes of a file that a model has given as text. @throws ToolError for what is not base64 */
export function readFile(field: string, value: unknown): Uint8Array {
  const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64');
  // Buffer skips what it does not know, and another file would arrive
  if (bytes.toString('base64') === value) return bytes;
  throw refusedValue(field, 'a file has to be base64');
}

/** A body of several parts (RFC 7578): lists have one for each item, and objects are JSON. */
export function writeMultipart(value: PlainObject, { mediaType, parts = [] }: BodyForm): WrittenBody {
  const boundary = `toolwright-${randomUUID()}`;
  const known = new Map(parts.map((part) => [part.name, part]));
  const written = Object.entries(value).flatMap(([name, member]) =>
    (Array.isArray(member) ? (member as readonly unknown[]) : [member])
      .filter((item) => item !== null && item !== undefined)
      .map((item) => writePart(known.get(name) ?? { name, isFile: false }, item, boundary)),
  );
  return {
    content: Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]),
    mediaType: `${mediaType}; boundary=${boundary}`,
  };
}

function writePart({ name, isFile, mediaType }: BodyPart, value: unknown, boundary: string): Buffer {
  const type = mediaType ?? (typeof value === 'object' ? 'application/json' : undefined);
  const quoted = quoteName(name);
  const lines = [
    `--${boundary}`,
    // Servers take a part for a file because it has a name of a file
    `content-disposition: form-data; name=${quoted}${isFile ? `; filename=${quoted}` : ''}`,
    ...(type === undefined ? [] : [`content-type: ${type}`]),
  ];
  const content = isFile ? readFile(name, value) : Buffer.from(scalarText(value));
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), content, Buffer.from('\r\n')]);
}

/** As browsers write it: a name must not end its line (HTML, multipart/form-data encoding algorithm). */
function quoteName(name: string): string {
  return `"${name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}"`;
}
