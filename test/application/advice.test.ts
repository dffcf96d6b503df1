import { expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsObject, IsString, Matches, MaxLength } from 'class-validator';
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
import { oidc } from 'toolwright/sign-in';
import type { ApplicationOptions, ListeningOptions } from 'toolwright';
import { testVerifier } from '../support/callers.ts';
import { MemoryLogger } from '../support/memory-logger.ts';

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

test.each<[string, string | undefined, string | undefined, ListeningOptions | undefined, readonly string[]]>([
  [
    'an issuer of this machine beside a public endpoint',
    'https://mcp.example/mcp',
    'http://localhost:3000',
    undefined,
    ['auth.signIn.issuer is http://localhost:3000 on this machine, and https://mcp.example/mcp is not.'],
  ],
  [
    'an endpoint of this machine that others are served at',
    'http://127.0.0.1:3000/mcp',
    undefined,
    { host: '0.0.0.0', allowedHosts: ['mcp.example'] },
    ['auth.resource is http://127.0.0.1:3000/mcp on this machine, and listen() serves others.'],
  ],
  ['nothing of this machine', 'https://mcp.example/mcp', 'https://id.example', { host: 'mcp.example' }, []],
  ['all on this machine', 'http://127.0.0.1:3000/mcp', 'http://localhost:3000', {}, []],
  ['an issuer of which it follows', 'https://mcp.example/mcp', undefined, { host: 'mcp.example' }, []],
  ['no endpoint named', undefined, 'http://localhost:3000', undefined, []],
])('signing in with %s', async (_name, resource, issuer, listening, expected) => {
  const provider = oidc({ issuer: 'https://id.example', clientId: 'desk', clientSecret: 'a secret' });
  const signIn = issuer === undefined ? provider : { provider, issuer };
  const options = {
    secrets: ['thirty-two bytes of a secret, or more'],
    limits: { rate: { limit: 1, per: 'second' } },
    auth: resource === undefined ? { signIn } : { resource, signIn },
  } as const;
  const advice = await adviceOf(NoteModule, options, listening);
  const found = advice.filter((each) => each.startsWith('TW_ADVICE_SIGN_IN'));
  expect(found).toEqual(expected.map((each) => `TW_ADVICE_SIGN_IN ${each}`));
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

test('what the log warns of is advice as well, each once', async () => {
  class Base {
    @IsString() @MaxLength(4) text!: string;
  }
  class Inner {
    @IsString() name!: string;
  }
  class Doubtful extends Base {
    @IsString() override text = '';
    @IsString({ each: true }) tags!: string[];
    @IsObject() @Type(() => Inner) inner!: Inner;
    @Matches(/^(?=a)(a+)+$/) pattern!: string;
  }
  class Parent {
    @Action('Is dropped') dropped(): void {}
  }
  @ToolGroup('doubtful')
  class DoubtfulTools extends Parent {
    override dropped(): void {}
    @Action('One') one(_input: Doubtful): void {}
    @Action('Two') two(_input: Doubtful = new Doubtful()): void {}
  }
  @Module({ controllers: [DoubtfulTools] })
  class DoubtfulModule {}
  const logger = new MemoryLogger();
  const app = await McpApplication.create(DoubtfulModule, { openWorld: false, logger });
  const codes = app.advice().map(({ code }) => code);
  await app.close();
  expect(codes).toEqual([
    'TW_SCAN_OVERRIDE_DROPS',
    'TW_SCAN_DEFAULT_UNUSED',
    'TW_SHAPE_REDECLARED',
    'TW_SHAPE_EACH_WITHOUT_ARRAY',
    'TW_SHAPE_NESTED_UNCHECKED',
    'TW_SHAPE_PATTERN_UNBOUNDED',
  ]);
  const logged = logger.records.filter(({ event }) => /^(?:scan|dto)\.warning$/.test(event));
  expect(logged.map(({ code }) => code)).toEqual(codes);
});
