import { writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { CliError } from '../output/cli-error.ts';
import type { Blob } from './answer-text.ts';

/** A file that was written. */
export interface SavedFile {
  readonly path: string;
  readonly mimeType: string;
  readonly bytes: number;
}

/** Writes the blobs of an answer, or its text where it has none. Further blobs get a number: `chart-2.png`. */
export function saveAnswer(path: string, blobs: readonly Blob[], text: string): readonly SavedFile[] {
  if (blobs.length === 0) return [save(path, 'text', Buffer.from(text.endsWith('\n') ? text : `${text}\n`))];
  return blobs.map(({ mimeType, data }, index) =>
    save(index === 0 ? path : numbered(path, index + 1), mimeType, Buffer.from(data, 'base64')),
  );
}

function numbered(path: string, number: number): string {
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}-${String(number)}${extension}`;
}

function save(path: string, mimeType: string, content: Buffer): SavedFile {
  try {
    writeFileSync(path, content);
  } catch (cause) {
    throw new CliError('TW_CLI_OPTION', {
      where: '--out',
      what: `cannot be written: ${(cause as Error).message}.`,
      fix: 'name a file in a folder that exists',
      cause,
    });
  }
  return { path, mimeType, bytes: content.length };
}
