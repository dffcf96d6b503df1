import { expect, test } from '@jest/globals';
import {
  Action,
  Destructive,
  McpApplication,
  Module,
  Public,
  RateLimit,
  Roles,
  Scopes,
  ToolGroup,
} from 'toolwright';
import type { ApplicationOptions, ListeningOptions } from 'toolwright';
import { testVerifier } from '../support/callers.ts';

@ToolGroup('tasks')
class TaskTools {
  @Action('Deletes') @Destructive() delete(): string {
    return '';
  }
  @Action('Purges') @Destructive() @Roles('admin') purge(): string {
    return '';
  }
  @Action('Drops') @Destructive() @Scopes('tasks:write') drop(): string {
    return '';
  }
  @Action('Says') @Public() about(): string {
    return '';
  }
  @Action('Says, at times') @Public() @RateLimit({ limit: 1, per: 'second' }) slow(): string {
    return '';
  }
}
@Module({ controllers: [TaskTools] })
class TaskModule {}

@ToolGroup('notes')
class NoteTools {
  @Action('1') a1(): string {
    return '';
  }
  @Action('2') a2(): string {
    return '';
  }
  @Action('3') a3(): string {
    return '';
  }
  @Action('4') a4(): string {
    return '';
  }
  @Action('5') a5(): string {
    return '';
  }
  @Action('6') @Destructive() a6(): string {
    return '';
  }
}
@Module({ controllers: [NoteTools] })
class NoteModule {}

const auth = { resource: 'https://mcp.example/mcp', verify: testVerifier };

async function adviceOf(
  root: typeof TaskModule,
  options: ApplicationOptions,
  listening?: ListeningOptions,
): Promise<readonly string[]> {
  const app = await McpApplication.create(root, { openWorld: false, ...options, logger: () => undefined });
  const advice = app.advice(listening);
  await app.close();
  return advice.map(({ code, where, what }) => `${code} ${where} ${what}`);
}

test('names each destructive action that needs a token alone, and what everybody may call without a limit', async () => {
  expect(await adviceOf(TaskModule, { name: 'tasks', auth })).toEqual([
    'TW_ADVICE_DESTRUCTIVE TaskTools.delete() is destructive, and requires nothing of its callers but a token.',
    'TW_ADVICE_LIMIT tasks lets everybody call TaskTools.about() as often as they like.',
  ]);
});

test('speaks of many actions without a limit once', async () => {
  const [only, ...others] = await adviceOf(NoteModule, {}, { host: 'mcp.example' });
  expect(others).toEqual([]);
  expect(only).toMatch(/^TW_ADVICE_LIMIT note .*a1\(\), .*a5\(\), NoteTools\.a6\(\) as often/);
});

test.each<[string, ApplicationOptions, ListeningOptions | undefined]>([
  ['that only this machine reaches', {}, {}],
  ['of which nothing is known', {}, undefined],
  ['with a limit', { limits: { rate: { limit: 1, per: 'second' } } }, { host: 'mcp.example' }],
  ['whose requests are counted', {}, { host: 'mcp.example', requestRates: {} }],
  ['that authenticates itself', {}, { host: 'mcp.example', authenticate: () => undefined }],
])('has none for a server without auth %s', async (_name, options, listening) => {
  expect(await adviceOf(NoteModule, options, listening)).toEqual([]);
});

test.each(['0.0.0.0', '::'])('names %s without names of hosts', async (host) => {
  const authenticate = () => undefined as never;
  const [only] = await adviceOf(NoteModule, {}, { host, authenticate });
  expect(only).toBe(`TW_ADVICE_HOST listen() listens at ${host}, and takes requests for every host name.`);
  expect(await adviceOf(NoteModule, {}, { host, authenticate, allowedHosts: ['a.example'] })).toEqual([]);
});

test('a key that models find hard to repeat is named', async () => {
  @ToolGroup('odd')
  class OddTools {
    @Action({ name: 'a,b' }) comma(): void {}
    @Action({ name: 'a|b' }) bar(): void {}
    @Action({ name: 'x'.repeat(129) }) long(): void {}
    @Action({ name: 'x'.repeat(128) }) longest(): void {}
    @Action({ name: 'größe/höhe' }) fine(): void {}
  }
  @Module({ controllers: [OddTools] })
  class OddModule {}
  const app = await McpApplication.create(OddModule, { openWorld: false });
  expect(app.advice().map(({ code, where }) => [code, where])).toEqual([
    ['TW_ADVICE_ACTION_NAME', 'OddTools.comma()'],
    ['TW_ADVICE_ACTION_NAME', 'OddTools.bar()'],
    ['TW_ADVICE_ACTION_NAME', 'OddTools.long()'],
  ]);
  await app.close();
});
