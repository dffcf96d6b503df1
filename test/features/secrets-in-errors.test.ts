import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import { Type } from 'class-transformer';
import { IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import {
  Action,
  type LogRecord,
  McpApplication,
  Module,
  Prompt,
  Sensitive,
  ToolError,
  ToolGroup,
} from 'toolwright';
import { ApplicationError } from '../../src/errors/problem-list.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { post2026 } from '../support/client-of-2026.ts';
import { rejectionOf } from '../support/thrown.ts';

const KEY = 'sk-live-0123456789';
const TOKEN = 'token-of-anna-0123456789';
const PIN = 'pin-4711-0815-99';

class Card {
  @IsString() @Sensitive() pin!: string;
}
class Payment {
  @IsString() how!: string;
  @IsOptional() @ValidateNested() @Type(() => Card) card?: Card;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Card) cards?: Card[];
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Card) byName?: Map<string, Card>;
  @IsOptional() @IsObject() @Sensitive() extra?: object;
}

function failing(how: string): unknown {
  const all = `${KEY} ${TOKEN} ${PIN}`;
  if (how === 'declared')
    return new ToolError('NO', `no ${all}`, { suggestion: all, details: { at: [all] } });
  return how === 'text' ? `no ${all}` : new Error('no', { cause: new Error(`because of ${all}`) });
}

@ToolGroup('shop')
class ShopTools {
  @Action('Pays') async pay({ how }: Payment): Promise<string> {
    await Promise.resolve();
    throw how === 'message' ? new Error(`no ${KEY} ${TOKEN} ${PIN}`) : failing(how);
  }
  @Prompt('Explains') explain(): string {
    throw new Error(`no ${KEY} ${TOKEN}`);
  }
}
@Module({ controllers: [ShopTools] })
class ShopModule {}

const logger = new MemoryLogger();
let app: McpApplication;
let url: string;

beforeAll(async () => {
  app = await McpApplication.create(ShopModule, { logger, redact: { secrets: [KEY, undefined] } });
  const authenticate = () => ({ token: TOKEN, clientId: 'anna', scopes: [] });
  ({ url } = await app.listen({ port: 0, signals: false, authenticate }));
});
afterAll(() => app.close());

const said = (): string => {
  const records: readonly LogRecord[] = logger.records.splice(0);
  return inspect(records, { depth: 9 });
};

const PLACES: readonly (readonly [string, object])[] = [
  ['an object', { card: { pin: PIN } }],
  ['a list', { cards: [{ pin: 'other' }, { pin: PIN }] }],
  ['a map', { byName: { 'a.b': { pin: ` ${PIN} ` } } }],
  ['a sensitive object', { extra: { deep: [PIN] } }],
];

describe.each(['message', 'cause', 'text', 'declared'])('an error with secrets in its %s', (how) => {
  test.each(PLACES)('shows none of them to the client or in the log: a value in %s', async (_name, given) => {
    const { body } = await post2026(url, 'tools/call', {
      name: 'shop',
      arguments: { action: 'pay', how, ...given },
    });
    expect(body).toContain('no');
    const log = said();
    expect(log.includes('call.failed')).toBe(how !== 'declared');
    for (const secret of [KEY, TOKEN, PIN]) expect(body + log).not.toContain(secret);
  });
});

test('an error of a prompt shows no secret', async () => {
  const { body } = await post2026(url, 'prompts/get', { name: 'explain', arguments: {} });
  expect(body).toContain('no [redacted] [redacted]');
  expect(said()).not.toMatch(/sk-live|token-of/);
});

test.each<[string, unknown]>([
  ['all arguments', JSON.stringify({ pin: PIN })],
  ['an object with a sensitive field', { action: 'pay', how: 'x', card: `{"pin":"${PIN}"}` }],
  ['a list of them', { action: 'pay', how: 'x', cards: PIN }],
])('a text in the place of %s is not quoted', async (_name, args) => {
  const { body } = await post2026(url, 'tools/call', { name: 'shop', arguments: args });
  expect(body).toMatch(/must be|is not valid/);
  expect(body + said()).not.toContain('pin-4711');
});

test('a secret of fewer than four characters is refused at the start, and not shown', async () => {
  const made = McpApplication.create(ShopModule, { redact: { secrets: ['ab!'] } });
  const { message } = await rejectionOf(made, ApplicationError);
  expect(message).toMatch(/TW_APPLICATION_OPTION.*redact\.secrets/);
  expect(message).not.toContain('ab!');
});
