import { beforeAll, describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { CLIENT_NAMES } from '../../src/cli/clients/clients.ts';
import { loadClients, type Fact, type KnownClients, type SignInFacts } from '../../src/profiles/clients.ts';
import { ROOT } from '../pins/docs/example.ts';

const ID = /^[a-z][a-z0-9-]*$/;
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const areTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((each) => isText(each));

/** What each fact has to be. */
const CHECKS: Readonly<Record<keyof SignInFacts, (value: unknown) => boolean>> = {
  'signIn.redirects': (value) => areTexts(value) && (value as string[]).every(isRedirect),
  'signIn.document': (value) => {
    const { url, methods } = value as { readonly url: string; readonly methods: unknown };
    return isRedirect(url) && url.startsWith('https://') && areTexts(methods);
  },
  'signIn.registration': (value) => {
    const {
      redirect_uris: redirects,
      grant_types: grants,
      response_types: types,
      ...texts
    } = value as Record<string, unknown>;
    return (
      areTexts(redirects) &&
      (redirects as string[]).every(isRedirect) &&
      [grants, types].every((each) => each === undefined || areTexts(each)) &&
      Object.values(texts).every((each) => typeof each === 'string')
    );
  },
  'signIn.scopes': (value) =>
    areTexts(value) && (value as string[]).every((each) => ['challenge', 'server', 'none'].includes(each)),
  'signIn.offlineAccess': (value) => typeof value === 'boolean',
  'signIn.prompt': isText,
  'signIn.discovery': (value) =>
    areTexts(value) && (value as string[]).every((each) => each.includes('{path}')),
  'signIn.resource': (value) => value === 'typed',
  'signIn.issuer': (value) => value === 'compared' || value === 'sent',
  'signIn.anyPort': (value) => typeof value === 'boolean',
  'signIn.origin': (value) => isText(value) && new URL(value as string).origin === value,
};

/** A URI in which `*` stands for a port or one whole segment, and for nothing else. */
const REDIRECT = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(:(\*|\d+))?(\/(\*|[\w.-]*))+$/;
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1)[:/]/;

function isRedirect(uri: string): boolean {
  return REDIRECT.test(uri) && (!uri.startsWith('http:') || LOOPBACK.test(uri));
}

describe('the file of clients', () => {
  let known: KnownClients;
  let facts: readonly (readonly [id: string, name: keyof SignInFacts, fact: Fact<unknown>])[];

  beforeAll(async () => {
    known = await loadClients();
    facts = Object.entries(known.clients).flatMap(([id, client]) =>
      Object.entries(client.facts).map(
        ([name, fact]) => [id, name as keyof SignInFacts, fact as Fact<unknown>] as const,
      ),
    );
  });

  test('is frozen, and read once', async () => {
    expect(await loadClients()).toBe(known);
    expect(Object.isFrozen(known.clients['codex']?.facts['signIn.registration']?.value.redirect_uris)).toBe(
      true,
    );
  });

  test('gives each client an id and a title', () => {
    expect(known.edition).toMatch(/^\d{4}-\d{2}$/);
    for (const [id, { title, ...rest }] of Object.entries(known.clients)) {
      expect(id).toMatch(ID);
      expect(title).not.toBe('');
      expect(Object.keys(rest)).toEqual(['facts']);
    }
  });

  test('has the ids that the command line has', () => {
    const ids = Object.keys(known.clients);
    expect(CLIENT_NAMES.filter((name) => name !== 'json' && !ids.includes(name))).toEqual([]);
  });

  test('says where each fact comes from, when, and how sure it is', () => {
    for (const [id, name, { source, date, sure }] of facts) {
      expect([id, name, new URL(source).protocol]).toEqual([id, name, 'https:']);
      expect([id, name, new Date(date).toISOString().slice(0, 10)]).toEqual([id, name, date]);
      expect(['seen', 'source', 'docs', 'reported']).toContain(sure);
    }
  });

  test('has facts of known names and shapes alone', () => {
    const wrong = facts.filter(([, name, { value }]) => !(name in CHECKS && CHECKS[name](value)));
    expect(wrong).toEqual([]);
  });

  test('registers only redirects that the client is known to have', () => {
    for (const [id, { facts: of }] of Object.entries(known.clients)) {
      const known = of['signIn.redirects']?.value;
      if (known === undefined) continue;
      const unknown = of['signIn.registration']?.value.redirect_uris.filter(
        (uri) => !known.some((pattern) => fits(uri, pattern)),
      );
      expect([id, unknown]).toEqual([id, []]);
    }
  });

  test('is the only place below src that knows the redirects of clients', () => {
    const hosts = [
      'claude.ai',
      'chatgpt.com',
      'vscode.dev',
      'www.cursor.com',
      'grok.com',
      'googleusercontent.com',
    ];
    const files = readdirSync(`${ROOT}src`, { recursive: true })
      .map((name) => String(name))
      .filter((name) => /\.tsx?$/.test(name));
    const knowing = files.filter((name) => {
      const text = readFileSync(`${ROOT}src/${name}`, 'utf8');
      return hosts.some((host) => text.includes(`https://${host}`));
    });
    expect(knowing).toEqual([]);
  });
});

function fits(uri: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`).test(uri);
}
