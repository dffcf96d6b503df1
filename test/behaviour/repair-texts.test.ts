import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsArray, IsString, ValidateNested } from 'class-validator';
import {
  Action,
  Destructive,
  McpApplication,
  Module,
  RateLimit,
  Roles,
  Sensitive,
  ToolError,
  ToolGroup,
  type CallToolResult,
} from 'toolwright';
import { z } from 'zod';
import { authInfoOf } from '../support/callers.ts';

class Address {
  @IsString() street!: string;
  @IsString() country!: string;
}
class Customer {
  @IsString() name!: string;
  @ValidateNested() @Type(() => Address) address!: Address;
  @IsArray() @ValidateNested({ each: true }) @Type(() => Address) others: Address[] = [];
}
class Search {
  @IsString() option!: string;
}
class Key {
  @IsString() @Sensitive() secret!: string;
  @ValidateNested() @Type(() => Search) search!: Search;
}
class Coupon {
  @IsString() code!: string;
}
class Thrown {
  @IsString() kind!: string;
}

const thrown: Readonly<Record<string, unknown>> = {
  object: { code: 1, secret: 'hunter2' },
  undefined,
  text: 'the disk is full',
  'empty text': '',
  function: () => 'hunter2',
  number: 404,
  'object with a message': { message: 'the tray is empty' },
};

@ToolGroup('crm')
class CrmTools {
  @Action() create(_customer: Customer): void {}
  @Action() search(_search: Search): void {}
  @Action({ input: z.object({ mail: z.email() }) }) invite(_input: { readonly mail: string }): void {}
  @Action() refuse(): void {
    throw new ToolError('FORBIDDEN', 'Not for you', { suggestion: 'sign in as somebody else' });
  }
  @Action() choose(): void {
    throw new ToolError('NO_SUCH', 'No such action', { suggestion: 'create', availableActions: ['create'] });
  }
  @Action() @RateLimit({ limit: 100, per: 'minute' }) redeem(_coupon: Coupon): void {}
  @Action() @Roles('admin') audit(_customer: Customer): void {}
  @Action() @Destructive() fail({ kind }: Thrown): void {
    throw thrown[kind];
  }
}
@ToolGroup('safe')
class SafeTools {
  @Action() open(_key: Key): void {}
  @Action() close(): void {}
}
@Module({ controllers: [CrmTools, SafeTools] })
class CrmModule {}

let app: McpApplication;
beforeAll(async () => {
  app = await McpApplication.create(CrmModule, { auth: false, maskErrors: false, logger: () => undefined });
});
afterAll(() => app.close());

async function lines(args: object, tool = 'crm'): Promise<readonly string[]> {
  const { content, isError }: CallToolResult = await app.call(tool, args, {
    authInfo: authInfoOf({ sub: 'ada', roles: ['admin'] }),
  });
  expect(isError).toBe(true);
  return (content[0] as unknown as { readonly text: string }).text.split('\n');
}

describe('a refused call', () => {
  test('names the accepted fields of the object that has an unknown one, by its path', async () => {
    const address = { street: 'a', country: 'b', contry: 'c' };
    const told = await lines({
      action: 'create',
      name: 'Ada',
      nmae: 'Ada',
      address,
      others: [address, address],
    });
    expect(new Set(told.filter((line) => line.startsWith('Accepted')))).toEqual(
      new Set(['Accepted fields: name, address, others', 'Accepted fields of address: street, country']),
    );
  });

  test('offers a suggestion in words as a suggestion, and a name as the name that was meant', async () => {
    expect(await lines({ action: 'refuse' })).toContain('Suggestion: sign in as somebody else');
    expect(await lines({ action: 'choose' })).toContain('Did you mean: create');
    expect(await lines({ action: 'serch' })).toContain('Did you mean: search');
  });

  test('says which name was meant to be the action, and what else is wrong with it', async () => {
    expect(await lines({ actoin: 'serch', option: 7 })).toEqual([
      expect.stringMatching(/^action is required\. Available: create, /),
      'Code: MISSING_DISCRIMINATOR',
      '- actoin: did you mean action?',
      '- option: expected string; received number 7',
      'Did you mean: search',
      expect.stringMatching(/^Available actions: create, /),
    ]);
    // `option` is near as well, but a field of the tool
    expect((await lines({ option: 'create' })).join('\n')).not.toContain('did you mean');
  });

  test('names the format that was expected, without the pattern that zod has for it', async () => {
    expect(await lines({ action: 'invite', mail: 'x' })).toContain(
      '- mail: expected string (email); received string "x"',
    );
  });
});

describe('a mistake that hides others', () => {
  test.each([
    ['a misspelt field', { optin: 7 }, '- option: expected string; received number 7'],
    ['a wrapper', { data: { option: 7 } }, '- option: expected string; received number 7'],
    ['a wrapper', { data: { option: 7 } }, expect.stringContaining('expected its fields one level higher')],
  ])('%s: what is wrong with the values is said as well', async (_, args, line) => {
    expect(await lines({ action: 'search', ...args })).toContainEqual(line);
  });

  test.each([
    ['JSON as text', '{"street":7,"country":"NL"}'],
    ['a list with one object', [{ street: 7, country: 'NL' }]],
  ])('%s: what is in it is looked at', async (_, address) => {
    const told = await lines({ action: 'create', name: 'Ada', address, others: [] });
    expect(told).toContain('- address.street: expected string; received number 7');
  });

  test('JSON as text in a list', async () => {
    const told = await lines({ action: 'create', name: 'Ada', others: ['{"street":7,"country":"NL"}'] });
    expect(told).toContain('- others.0.street: expected string; received number 7');
  });

  test('a field that is there is not replaced by one that is near', async () => {
    expect(await lines({ action: 'search', option: 'a', optin: 7 })).toEqual([
      'Validation failed: optin: unknown field',
      'Code: VALIDATION_FAILED',
      '- optin: received number 7; did you mean option?',
      'Accepted fields: option',
    ]);
  });

  test.each([
    ['misspelt', { action: 'serch', x: 1 }],
    ['in a list', { action: ['search'], x: 1 }],
    ['in a wrapper', { data: { action: 'search', x: 1 } }],
    ['left out, and only one action has all it requires', { option: 'a', x: 1 }],
  ])('an action that is %s', async (_, args) => {
    const told = await lines(args);
    expect(told).toContain('Did you mean: search');
    expect(told).toContain('- x: unknown field; received number 1');
  });

  test('more values than a call may have are not looked at', async () => {
    const more = Array.from({ length: 10_001 }, () => 0);
    const told = await lines({ action: 'serch', option: 7, more });
    expect(told).toContain('Did you mean: search');
    expect(told.join()).not.toContain('expected string');
    const address = JSON.stringify({ street: 7, country: 'a'.repeat(10_000) });
    expect((await lines({ action: 'create', name: 'Ada', address })).join()).not.toContain('address.street');
  });

  test.each([
    ['a misspelt name', { secrt: 4711, search: {} }],
    ['a wrapper', { data: { secret: 4711, search: { optin: 4711 } } }],
    ['a misspelt action', { action: 'opne', secret: [4711], search: { option: 4711 } }],
  ])('a sensitive value under %s is not shown', async (_, args) => {
    const told = (await lines({ action: 'open', ...args }, 'safe')).join('\n');
    expect(told).toContain('secret');
    expect(told).not.toContain('4711');
  });

  test('a sensitive value of another tool is not shown in JSON that came as text', async () => {
    const address = '{"street":7,"secret":"hunter2"}';
    const told = (await lines({ action: 'create', name: 'Ada', others: [], address })).join('\n');
    expect(told).toContain('address.secret: ');
    expect(told).not.toContain('hunter2');
  });

  test('an action that destroys is not guessed by its fields', async () => {
    expect((await lines({ kind: 'text' })).join()).not.toContain('Did you mean');
  });

  test('an action that not everyone may call is not looked at', async () => {
    const told = await lines({ action: 'audti', name: 7 });
    expect(told).toContain('Did you mean: audit');
    expect(told.join()).not.toContain('expected string');
  });

  test('an action whose calls are counted is not looked at, or a misspelt name would count for nothing', async () => {
    const told = await lines({ action: 'redeme', code: 7 });
    expect(told).toContain('Did you mean: redeem');
    expect(told.join()).not.toContain('expected string');
  });

  test('the name of a wrapper is cut, and its control characters are shown', async () => {
    const told = await lines({ ['\u0000'.repeat(100_000)]: { action: 'search', option: 7 } });
    expect(told.join().length).toBeLessThan(1000);
    expect(told).toContainEqual(expect.stringMatching(/^- \\u\{0\}.*one level higher/));
    expect(told).toContain('- option: expected string; received number 7');
  });
});

test.each([
  ['object', 'what was thrown is not an Error but an object without a message'],
  ['undefined', 'what was thrown is not an Error but undefined'],
  ['text', 'the disk is full'],
  ['empty text', 'what was thrown is not an Error but an empty text'],
  ['function', 'what was thrown is not an Error but a function'],
  ['number', 'what was thrown is not an Error but 404'],
  ['object with a message', 'the tray is empty'],
])('a handler that throws: %s', async (kind, message) => {
  expect((await lines({ action: 'fail', kind }))[0]).toBe(`[crm/fail] ${message}`);
});
