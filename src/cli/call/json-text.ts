import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CliError } from '../output/cli-error.ts';

/** Reads JSON that is written in an option itself, in a file (`@file`), or on stdin (`-`). */
export async function readJson(option: string, given: string, stdin: Readable): Promise<unknown> {
  if (given === '-') return parse(await text(stdin), 'stdin');
  if (given.startsWith('@')) return parse(readFile(option, given.slice(1)), given.slice(1));
  return parse(given, option);
}

function readFile(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new CliError('TW_CLI_INPUT', {
      where: option,
      what: `names a file that cannot be read: ${(cause as Error).message}.`,
      fix: `${option} @file.json, or ${option} '{"name":"value"}'`,
      cause,
    });
  }
}

function parse(json: string, where: string): unknown {
  try {
    return JSON.parse(json.replace(/^\uFEFF/, '')) as unknown;
  } catch (cause) {
    const { message } = cause as SyntaxError;
    throw new CliError('TW_CLI_INPUT', {
      where,
      what: `is not JSON at ${placeOf(message, json)}: ${message}.`,
      fix: 'write names and texts in double quotes, and no comma after the last member',
      cause,
    });
  }
}

/** Line and column; V8 names the position, and none where the text ends too early. */
function placeOf(message: string, json: string): string {
  const [, position = String(json.length)] = /at position (\d+)/.exec(message) ?? [];
  const before = json.slice(0, Number(position)).split('\n');
  return `line ${String(before.length)}, column ${String((before.at(-1) ?? '').length + 1)}`;
}
