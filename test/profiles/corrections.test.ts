import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadClients, type KnownClients } from '../../src/profiles/clients.ts';
import { correctClients } from '../../src/profiles/corrections.ts';
import { ClientProfiles, loadProfiles } from '../../src/profiles/profiles.ts';

const said = { source: 'https://example.com/notes', date: '2026-11-27', sure: 'seen' };
let known: KnownClients;
beforeAll(async () => {
  known = await loadClients();
});

test('a fact is replaced, and the others stay', () => {
  const before = known.clients['codex']!;
  const clients = { codex: { facts: { 'result.tokens': { value: 20_000, ...said } } } };
  const after = correctClients(known, { clients }).clients['codex']!;
  expect(after.facts['result.tokens']?.value).toBe(20_000);
  expect(after.facts).toEqual({ ...before.facts, 'result.tokens': { value: 20_000, ...said } });
  expect(after).toMatchObject({ title: before.title, match: before.match, choices: before.choices });
  expect(known.clients['codex']).toBe(before);
});

test('so is a choice', () => {
  const clients = { codex: { choices: { surface: 'flat' } } };
  const { choices } = new ClientProfiles(correctClients(known, { clients })).byId('codex')!;
  expect(choices).toMatchObject({ surface: 'flat', describe: 'signatures', defaults: 'inline' });
});

test('a new key is a new client, by its own name', () => {
  const profiles = new ClientProfiles(correctClients(known, { clients: { 'acme-*': {} } }));
  expect(profiles.profileOf('acme-desk').id).toBe('acme-*');
  expect(profiles.profileOf('Acme').id).toBe('generic');
  expect(Object.isFrozen(profiles.clients['acme-*'])).toBe(true);
});

describe('a problem names the key', () => {
  const fact = { value: 5, ...said };
  test.each([
    [
      'a fact without a source',
      { 'result.tokens': { ...fact, source: undefined } },
      'lacks the option clients.codex.facts.result.tokens.source',
    ],
    ['an unknown fact', { 'result.tokns': fact }, 'did you mean "result.tokens"?'],
    ['a value of another kind', { pages: fact }, 'sets clients.codex.facts.pages.value to 5'],
    [
      'a source that is not a URL',
      { 'result.tokens': { ...fact, source: 'notes' } },
      'the https URL of who says so',
    ],
    [
      'a day that does not exist',
      { 'result.tokens': { ...fact, date: 'today' } },
      'a day, such as 2026-11-26',
    ],
    ['a range without a version', { 'result.tokens': { ...fact, for: 'new' } }, 'a range of versions'],
    [
      'a pattern that does not compile',
      { 'property.pattern': { ...fact, value: '(' } },
      'a regular expression',
    ],
  ])('of %s', (_what, facts, text) => {
    expect(() => correctClients(known, { clients: { codex: { facts } } })).toThrow(text);
  });

  test.each([
    ['a star inside of a name', { clients: { desk: { match: ['a*b'] } } }, 'a name, which may end in *'],
    ['a key that cannot be a name', { clients: { 'a\nb': {} } }, 'names of clients'],
    ['an unknown choice', { clients: { desk: { choices: { surface: 'flatt' } } } }, 'did you mean "flat"?'],
    ['clients that are a list', { clients: [] }, 'clients'],
    ['nothing', {}, 'lacks the option clients'],
    ['a number', 3, 'the options'],
  ])('of %s', (_what, corrections, text) => {
    expect(() => correctClients(known, corrections)).toThrow(text);
  });
});

describe('a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'profiles-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const write = (text: string): string => {
    const path = join(folder, 'toolwright.profiles.json');
    writeFileSync(path, text);
    return path;
  };

  test('is read', async () => {
    const path = write(JSON.stringify({ clients: { 'acme-*': { title: 'Acme' } } }));
    expect((await loadProfiles(path)).profileOf('acme-1').title).toBe('Acme');
  });

  test.each([
    ['does not exist', () => join(folder, 'none.json'), 'none.json does not exist.'],
    ['is not JSON', () => write('{'), 'toolwright.profiles.json cannot be read: '],
    ['has a mistake', () => write('{"clients":{"a":{"fact":{}}}}'), 'has the option "clients.a.fact"'],
  ])('that %s is named', async (_what, path, text) => {
    await expect(loadProfiles(path())).rejects.toThrow(text);
    await expect(loadProfiles(path())).rejects.toMatchObject({ code: 'TW_PROFILES_INVALID' });
  });
});
