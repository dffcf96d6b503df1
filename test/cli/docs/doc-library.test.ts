import { beforeAll, describe, expect, test } from '@jest/globals';
import { readLibrary } from '../../../src/cli/docs/read-library.ts';
import { loadTokenizer, type CountTokens } from '../../../src/tokens/index.ts';
import { docFiles, readText } from '../../pins/docs/example.ts';

const library = readLibrary();

const found = (query: string, count = 5): readonly string[] =>
  library.search(query, count).map(({ section }) => section.id);

describe('the library', () => {
  test('has each page of docs/ but the index, as it is in the file', () => {
    const pages = library.pages.map(({ path, text }) => [`docs/${path}`, text]);
    const files = docFiles().filter((file) => !['README.md', 'docs/README.md'].includes(file));
    expect(pages.map(([file]) => file).sort()).toEqual(files);
    for (const [file = '', text] of pages) expect([file, text]).toEqual([file, readText(file)]);
  });

  test('knows of each listed page what it is about', () => {
    const listed = library.pages.filter(({ part }) => part !== '');
    expect(listed.length).toBeGreaterThan(80);
    expect(listed.filter(({ summary }) => summary === '')).toEqual([]);
  });
});

describe('a search', () => {
  test('finds what people look for among the first five, guides before reference', () => {
    const wanted = {
      'rate limit': 'guides/security.md#rate-limits-quotas-and-concurrency',
      'environment variable': 'guides/operations.md#',
      'API key': 'guides/security.md#',
      dates: 'guides/inputs-and-outputs.md#dates-and-files',
      'file upload': 'guides/inputs-and-outputs.md#dates-and-files',
      monorepo: 'guides/running-typescript.md#in-a-monorepo',
      retry: 'guides/',
      timeout: 'guides/middleware-and-context.md#timeouts',
      guard: 'guides/middleware-and-context.md#',
      interceptor: 'guides/middleware-and-context.md#',
      nestjs: 'guides/from-nestjs.md',
      auth0: 'guides/security.md#',
      redis: 'guides/scaling.md',
      docker: 'guides/deploying.md',
      kubernetes: 'guides/deploying.md',
      progress: 'guides/asking-the-client.md#',
      elicitation: 'guides/asking-the-client.md#',
      streaming: 'guides/',
      testing: 'guides/testing.md',
      vitest: 'guides/',
    };
    const missing = Object.entries(wanted).filter(
      ([query, start]) => !found(query).some((id) => id.startsWith(start)),
    );
    expect(missing.map(([query]) => [query, found(query)])).toEqual([]);
    expect(found('rate limit')[0]).toBe(wanted['rate limit']);
  });

  test('begins with the section that is called as the query', () => {
    expect(found('TW_CONFIG_INVALID')[0]).toBe('errors.md#tw_config_invalid');
    expect(found('@RateLimit')[0]).toMatch(/^reference\/decorators\.md#ratelimit/);
    expect(found('toolwright doctor')[0]).toBe('commands/doctor.md');
    // The type of that name is called Retry
    expect(found('retry')[0]).toMatch(/^guides\//);
  });

  test('gives a kind of pages alone, and nothing for what is nowhere', () => {
    const commands = library.search('lock', 5, 'command');
    expect(commands.map(({ page }) => page.kind)).toEqual(Array(5).fill('command'));
    expect(found('xyzzyplugh')).toEqual([]);
  });

  test('shows the words that were looked for, in plain text', () => {
    for (const query of ['rate limit', 'docker', 'elicitation', 'TW_CONFIG_INVALID'])
      for (const { excerpt } of library.search(query, 5)) {
        expect(excerpt.length).toBeLessThanOrEqual(242);
        expect(excerpt).not.toMatch(/```|<!--|\| ?-{3}|\]\(/);
      }
    const [first] = library.search('throttling', 1);
    expect(first?.section.id).toBe('guides/security.md#rate-limits-quotas-and-concurrency');
  });
});

describe('a reading', () => {
  let count: CountTokens;

  beforeAll(async () => {
    count = await loadTokenizer();
  });

  test('is never longer than 3,500 tokens, of any page and section', () => {
    const names = library.pages.flatMap(({ sections }) => sections.map(({ id }) => id));
    expect(names.length).toBeGreaterThan(1000);
    const long = names
      .map((name) => [name, library.read(name)?.text ?? ''] as const)
      .filter(([, text]) => text.length > 6000)
      .map(([name, text]) => [name, count(text)] as const)
      .filter(([, tokens]) => tokens > 3450);
    expect(long).toEqual([]);
  });

  test('of a long page is its beginning, and its sections with their sizes', () => {
    const text = library.read('errors.md')?.text ?? '';
    expect(text).toMatch(/^# Errors\n\nEvery error has a code/);
    expect(text).toMatch(/\n- #codes-that-clients-see \(\d{4,}\)\n/);
    expect(library.read('errors.md#codes-that-clients-see')?.text).toMatch(/\n- #unknown_action \(\d+\)\n/);
  });

  test('of a section has all that is inside of it, and an error is found by its code', () => {
    const matchers = library.read('guides/testing.md#the-whole-application')?.text ?? '';
    expect(matchers).toMatch(/^## The whole application\n[^]*\n### Matchers\n/);
    expect(matchers).not.toContain('## Through a client');
    expect(library.read('TW_CONFIG_INVALID')).toEqual(library.read('errors.md#tw_config_invalid'));
    expect(library.read('TW_CONFIG_INVALID')?.text).toMatch(/^### TW_CONFIG_INVALID\n\n/);
  });

  test('takes the names that links and resources have', () => {
    const text = library.read('guides/testing.md')?.text;
    for (const name of ['docs/guides/testing.md', 'docs://guides/testing.md'])
      expect(library.read(name)?.text).toBe(text);
  });

  test.each([
    '../package.json',
    '/etc/passwd',
    'guides/../errors.md',
    '%2e%2e/package.json',
    '',
    'constructor',
  ])('of %j is refused, with three names that are near', (name) => {
    expect(library.read(name)).toBeUndefined();
    expect(library.page(name)).toBeUndefined();
    const nearest = library.nearest(name);
    expect(nearest).toHaveLength(3);
    for (const each of nearest) expect(library.read(each)).toBeDefined();
  });

  test('that is misspelt is near to what was meant', () => {
    expect(library.nearest('guides/testin.md')[0]).toBe('guides/testing.md');
    expect(library.nearest('TW_CONFIG_INVALIDE')[0]).toBe('TW_CONFIG_INVALID');
  });
});
