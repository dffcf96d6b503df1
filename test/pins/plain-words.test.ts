import { expect, test } from '@jest/globals';
import { Linter, type Rule } from 'eslint';
import { docFiles, readText } from './docs/example.ts';

interface PlainWord {
  readonly pattern: string;
  readonly say: string;
}

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

test.each([
  ['a comment', '/* This is no\n * array. */'],
  ['a text', "log('whoever calls')"],
  ['a template', 'log(`Client ${name} hears it`)'],
])('the linter refuses a hard word in %s', async (_place, code) => {
  expect(await lint(code)).toHaveLength(1);
});

test('the linter accepts plain words, names, and the specifiers of imports', async () => {
  const code =
    "import judge from 'judge'; /* There is no array, and it is no longer one. */ log(`is not a ${judge}`)";
  expect(await lint(code)).toEqual([]);
});

async function lint(code: string): Promise<readonly string[]> {
  const file = new URL('../../.ci/plain-words.mjs', import.meta.url).href;
  const { plainWords } = (await import(file)) as { readonly plainWords: Rule.RuleModule };
  const plugins = { words: { rules: { plain: plainWords } } };
  const messages = new Linter().verify(code, [{ plugins, rules: { 'words/plain': 'error' } }]);
  return messages.map(({ message }) => message);
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
