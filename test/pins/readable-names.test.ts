import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { requestNouns } from '../house/habits.ts';
import { ROOT } from './docs/example.ts';

function textBelow(folder: string, ending: string): string {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith(ending)).map((name) => join(ROOT, folder, name));
  return files.map((file) => readFileSync(file, 'utf8')).join('\n');
}

test('the built package has the names of the source: those of private members, and those of parameters', () => {
  const bundles = textBelow('dist/chunks', '.js');
  const written = new Set(textBelow('src', '.ts').match(/#\w+/g));
  const short = new Set(bundles.match(/(?<=\.)#\w{1,2}\b/g));
  expect([...short].filter((name) => !written.has(name))).toEqual([]);
  // What V8 says of a mistake has the name of the parameter: "request.client is not a function"
  expect(bundles).toMatch(/async function sampleClient\(request, ?question, ?options/);
});

/** Public, or the shape of somebody else's request. They may only become fewer. */
const REQUEST_NOUNS = 30;

test('few types are one more name for a request', () => {
  const nouns = requestNouns();
  expect(nouns).toContain('RequestContext');
  expect(nouns.slice(REQUEST_NOUNS)).toEqual([]);
});
