import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KnownClients } from '../../src/profiles/clients.ts';
import { ClientProfiles, loadProfiles } from '../../src/profiles/profiles.ts';
import { tries } from '../support/thorough.ts';

let profiles: ClientProfiles;
beforeAll(async () => {
  profiles = await loadProfiles();
});

describe('a name', () => {
  test.each([
    ['claude-ai', 'claude'],
    ['Anthropic', 'claude'],
    ['claude-code', 'claude-code'],
    ['codex-mcp-client', 'codex'],
    ['Visual Studio Code', 'vscode'],
    ['Visual Studio Code - Insiders', 'vscode'],
    ['@langchain/mcp-adapters', 'langchain'],
  ])('%s is %s', (name, id) => {
    expect(profiles.profileOf(name).id).toBe(id);
  });

  test.each([
    ['of others', 'some-client'],
    ['in other letters', 'Claude-Code'],
    ['that only begins so', 'codex-mcp-client-2'],
    ['of a directory', 'claude-directory'],
    ['that is empty', ''],
    ['that is long', 'codex'.repeat(60)],
    ['with a control character', 'claude-code\n'],
    ['that is a number', 42],
    ['that is missing', undefined],
    ['of a prototype', '__proto__'],
    ['of a member of objects', 'constructor'],
    [
      'that throws when it is read',
      {
        toString: () => {
          throw new Error('read');
        },
      },
    ],
  ])('%s is generic', (_what, name) => {
    expect(profiles.profileOf(name, name)).toBe(profiles.byId('generic'));
  });

  test('of any kind gives a frozen profile, the same one each time', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (name, version) => {
        const profile = profiles.profileOf(name, version);
        expect(Object.isFrozen(profile) && Object.isFrozen(profile.facts)).toBe(true);
        expect(profiles.profileOf(name, version)).toEqual(profile);
      }),
      { numRuns: tries(50, 2000) },
    );
  });
});

test('a client without choices has those of generic', () => {
  expect(profiles.byId('mastra')?.choices).toEqual(profiles.byId('generic')?.choices);
  expect(profiles.byId('codex')?.choices).toMatchObject({ defaults: 'inline', flatOverBytes: 5000 });
});

test('a User-Agent is read by its beginning', () => {
  expect(profiles.profileOfUserAgent('ai-sdk/2.0.99 runtime/node').id).toBe('ai-sdk');
  expect(profiles.profileOfUserAgent('node').id).toBe('generic');
  expect(profiles.profileOfUserAgent(undefined).id).toBe('generic');
});

describe('a fact about some versions', () => {
  const source = 'https://example.com/issue';
  const known: KnownClients = {
    edition: '2026-11',
    clients: {
      desk: {
        title: 'Desk',
        match: ['desk', 'desk-*', 'desk-pro-*'],
        facts: {
          structured: { value: 'ignored', source, date: '2026-11-26', sure: 'seen', for: '<2.1.280' },
          pages: { value: false, source, date: '2026-11-26', sure: 'seen' },
        },
      },
      pro: { title: 'Desk Pro', match: ['desk-pro-max-*'], facts: {} },
    },
  };
  const own = new ClientProfiles(known);

  test.each([
    ['2.1.279', true],
    ['2.1.280-beta.1', true],
    ['2.1.280', false],
    ['abc', false],
    ['', false],
    [undefined, false],
    [2.1, false],
  ])('holds for %s: %s', (version, isHeld) => {
    const { facts } = own.profileOf('desk', version);
    expect('structured' in facts).toBe(isHeld);
    expect(facts.pages?.value).toBe(false);
  });

  test('holds for the right ones of many versions, also when they are asked for again', () => {
    for (const patch of [...Array.from({ length: 300 }, (_, index) => index), 279, 280, 0])
      expect([patch, 'structured' in own.profileOf('desk', `2.1.${String(patch)}`).facts]).toEqual([
        patch,
        patch < 280,
      ]);
  });

  test('is listed where the version is not asked for', () => {
    expect(own.byId('desk')?.facts.structured?.for).toBe('<2.1.280');
  });

  test('the longest beginning of a name wins', () => {
    expect(own.profileOf('desk-pro-max-1').id).toBe('pro');
    expect(own.profileOf('desk-pro-1').id).toBe('desk');
  });
});
