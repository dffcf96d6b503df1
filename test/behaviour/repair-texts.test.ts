import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsArray, IsString, ValidateNested } from 'class-validator';
import { Action, McpApplication, Module, ToolError, ToolGroup, type CallToolResult } from 'toolwright';
import { z } from 'zod';

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
  @Action() fail({ kind }: Thrown): void {
    throw thrown[kind];
  }
}
@Module({ controllers: [CrmTools] })
class CrmModule {}

let app: McpApplication;
beforeAll(async () => {
  app = await McpApplication.create(CrmModule, { maskErrors: false, logger: () => undefined });
});
afterAll(() => app.close());

async function lines(args: object): Promise<readonly string[]> {
  const { content, isError }: CallToolResult = await app.call('crm', args);
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

  test('says which name was meant to be the action', async () => {
    expect(await lines({ actoin: 'create' })).toEqual([
      expect.stringMatching(/^action is required\. Available: create, /),
      'Code: MISSING_DISCRIMINATOR',
      '- actoin: did you mean action?',
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
