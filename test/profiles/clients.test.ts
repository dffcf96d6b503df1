import { beforeAll, describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { CLIENT_NAMES } from '../../src/cli/clients/clients.ts';
import { loadClients, type KnownClients } from '../../src/profiles/clients.ts';
import { correctClients } from '../../src/profiles/corrections.ts';
import type { Fact, SignInFacts } from '../../src/profiles/facts.ts';
import { ROOT } from '../pins/docs/example.ts';

const ID = /^[a-z][a-z0-9-]*$/;
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const areTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((each) => isText(each));

/** What each fact about signing in has to be. */
const CHECKS: Readonly<Required<Record<keyof SignInFacts, (value: unknown) => boolean>>> = {
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
      expect(['kind', 'match', 'userAgent', 'facts', 'choices']).toEqual(
        expect.arrayContaining(Object.keys(rest)),
      );
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
    const signIn = facts.filter(([, name]) => name.startsWith('signIn.'));
    expect(signIn.filter(([, name, { value }]) => !(name in CHECKS && CHECKS[name](value)))).toEqual([]);
    expect(() => correctClients(known, known)).not.toThrow();
  });

  test('recognises each name as one client', () => {
    const names = Object.values(known.clients).flatMap(({ match = [] }) => match);
    expect(names.length).toBeGreaterThan(14);
    expect(new Set(names).size).toBe(names.length);
  });

  /** Surface, form of texts, form of results, and the least of the budget. */
  const chosen = [
    ['generic', 'own', 'own', 'both', 25_000],
    ['ai-sdk', 'own', 'own', 'both', 25_000],
    ['n8n', 'own', 'own', 'both', 25_000],
    ['langchain', 'own', 'own', 'text', 25_000],
    ['claude', 'grouped-by-risk', 'signatures', 'both', 25_000],
    ['claude-code', 'grouped-by-risk', 'signatures', 'both', 20_000],
    ['chatgpt', 'grouped-by-risk', 'signatures', 'structured', 8000],
    ['codex', 'grouped-by-risk', 'signatures', 'structured', 8000],
    ['cursor', 'grouped-by-risk', 'signatures', 'both', 25_000],
    ['vscode', 'grouped-by-risk', 'signatures', 'both', 25_000],
    ['gemini-cli', 'grouped-by-risk', 'signatures', 'text', 40_000],
    ['goose', 'grouped-by-risk', 'signatures', 'text', 25_000],
    ['zed', 'grouped-by-risk', 'signatures', 'text', 25_000],
    ['windsurf', 'grouped', 'signatures', 'text', 25_000],
    ['jetbrains', 'grouped', 'signatures', 'text', 25_000],
  ] as const;
  test.each(chosen)('chooses for %s: %s, %s, %s, %d', (id, surface, describe, result, most) => {
    const { choices } = known.clients[id]!;
    expect(choices).toMatchObject({ surface, describe, result });
    expect(choices?.budget?.tokens ?? choices?.budget?.chars).toBe(most);
    // A result without structure is refused where the tool promises one
    expect(choices?.outputSchema).toBe(result === 'text' ? false : undefined);
  });

  test('chooses for those alone, and for directories the surface that they ask for', () => {
    const having = Object.entries(known.clients).filter(
      ([, { choices, kind }]) => choices !== undefined && kind !== 'directory',
    );
    expect(having.map(([id]) => id).sort()).toEqual(chosen.map(([id]) => id).sort());
  });

  test('chooses tools by risk only for clients that are known to ask by hints or by tool, and for directories', () => {
    const byRisk = Object.entries(known.clients).filter(
      ([, { choices }]) => choices?.surface === 'grouped-by-risk',
    );
    for (const [id, { kind, facts: of }] of byRisk)
      expect([id, kind ?? of.approval?.value]).toEqual([
        id,
        expect.stringMatching(/^(hints|list|directory)$/),
      ]);
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

test('the code below src knows no client by its name', async () => {
  const { clients } = await loadClients();
  const names = Object.entries(clients).flatMap(([id, { match = [] }]) => [id, ...match]);
  // Also a word of the protocol, what stands for all clients, and formats of exports
  const words = ['cursor', 'generic', 'ai-sdk', 'openai-agents'];
  const quoted = new Set(names.filter((name) => !words.includes(name)).map((name) => `'${name}'`));
  // Where servers are registered with programs, the providers of models, and what the command line shows as examples
  const own =
    /^cli[\\/](?:clients[\\/]|[a-z]+-commands\.ts$|commands[\\/]install\.ts$|doctor[\\/]auth[\\/]|tokens[\\/])/;
  const files = readdirSync(`${ROOT}src`, { recursive: true })
    .map((name) => String(name))
    .filter((name) => /\.tsx?$/.test(name) && !own.test(name));
  const found = files.flatMap((name) => {
    const text = readFileSync(`${ROOT}src/${name}`, 'utf8').replaceAll(/^ *(?:\/\/|\/?\*).*$/gm, '');
    return [...quoted].filter((quotedName) => text.includes(quotedName)).map((each) => `${name}: ${each}`);
  });
  expect(found).toEqual([]);
});

function fits(uri: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`).test(uri);
}
