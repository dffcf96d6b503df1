import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { docFiles, readText } from './docs/example.ts';

interface PlainWord {
  readonly pattern: string;
  readonly say: string;
}

interface LintReport {
  readonly diagnostics: readonly { readonly filename: string; readonly message: string }[];
}

const OXLINT = fileURLToPath(new URL('../../node_modules/.bin/oxlint', import.meta.url));
const HOUSE_RULES = fileURLToPath(new URL('../../.ci/house-rules.mjs', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'toolwright-lint-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The same words that the linter refuses in the code and its tests. */
const WORDS = JSON.parse(readText('.ci/plain-words.json')) as readonly PlainWord[];

test('the documentation says what it says in plain words', () => {
  expect(docFiles().flatMap(hardWords)).toEqual([]);
});

test('a hard word is named with its place, also where a line ends in it', () => {
  expect(hitsIn('Plain.\nThis is no\nplain text, as ever.')).toEqual([
    '2: "is no": is not a',
    '3: "as ever": as usual, or leave it out',
  ]);
});

test('the linter refuses hard words in comments, texts and templates, and accepts names and the specifiers of imports', async () => {
  const findings = await lint({
    'comment.ts': '/* This is no\n * array. */',
    'text.ts': "log('whoever calls')",
    'template.ts': 'log(`Client ${name} hears it`)',
    'plain.ts':
      "import judge from 'judge'; /* There is no array, and it is no longer one. */ log(`is not a ${judge}`)",
  });
  expect([...findings].sort()).toEqual([
    'comment.ts: Not "is no": is not a.',
    'template.ts: Not "hears": is notified, or receives.',
    'text.ts: Not "whoever": name the caller, the client or the user.',
  ]);
});

async function lint(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const rules = { 'house/plain-words': 'error' };
  const config = JSON.stringify({ categories: { correctness: 'off' }, jsPlugins: [HOUSE_RULES], rules });
  for (const [name, text] of Object.entries({ ...files, 'rules.json': config }))
    writeFileSync(join(folder, name), text);
  const report = await new Promise<string>((done) => {
    // It ends with 1 when it finds something
    execFile(OXLINT, ['--config', 'rules.json', '--format', 'json'], { cwd: folder }, (_, stdout) =>
      done(stdout),
    );
  });
  const { diagnostics } = JSON.parse(report) as LintReport;
  return diagnostics.map(({ filename, message }) => `${filename}: ${message}`);
}

function hardWords(file: string): readonly string[] {
  return hitsIn(readText(file)).map((hit) => `${file}:${hit}`);
}

function hitsIn(text: string): readonly string[] {
  const hits = WORDS.flatMap(({ pattern, say }) =>
    [...text.matchAll(new RegExp(pattern, 'gi'))].map(({ 0: words, index }) => ({ words, index, say })),
  );
  return hits
    .sort((left, right) => left.index - right.index)
    .map(
      ({ words, index, say }) =>
        `${String(text.slice(0, index).split('\n').length)}: "${words.trim()}": ${say}`,
    );
}
