import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsOptional, IsString, ValidateIf, ValidateNested } from 'class-validator';
import {
  Action,
  createTool,
  Field,
  Input,
  Module,
  ToolGroup,
  ToolRegistry,
  type CallToolResult,
  type JsonSchema,
} from 'toolwright';
import { z } from 'zod';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient } from '../support/connections/feature-client.ts';
import { textOf } from '../support/text-of.ts';

class Workspace {
  @IsOptional() @IsString() region?: string;
}

class Address {
  @IsString() street!: string;
  @IsOptional() @IsString() zip?: string;
}

class CreateContact {
  @IsString() name!: string;
  @IsOptional() @IsString() email?: string;
  @IsOptional() @IsString() @Field({ nullable: true }) phone?: string | null;
  @IsInt() @Field({ nullable: true }) age!: number | null;
  @IsOptional() @IsIn(['free', 'pro']) tier?: string = 'free';
  @ValidateIf((contact: CreateContact) => contact.tier === 'pro') @IsString() discount?: string;
  @IsOptional() @ValidateNested() @Type(() => Address) address?: Address;
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Address) further?: Address[];
  @IsOptional() @IsArray() tags?: unknown[];
}

class FindContacts {
  @IsOptional() @IsInt() limit?: number;
  @IsOptional() @IsIn(['free', 'pro']) tier?: string;
}

class Wipe {
  @IsOptional() @IsString() reason?: string;
}

const Standard = z.object({
  title: z.string(),
  note: z.string().optional(),
  size: z.coerce.number().optional(),
  limit: z.int().default(10),
  cleared: z.string().nullish(),
  open: z.unknown().optional(),
  parts: z.array(z.object({ name: z.string(), label: z.string().optional() })).optional(),
  labels: z.record(z.string(), z.object({ hue: z.string().optional() })).optional(),
});

const RAW: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    page: { type: 'integer', default: 1 },
    until: { $ref: '#/$defs/Day' },
    cleared: { type: ['string', 'null'] },
    range: { type: 'object', properties: { from: { type: 'string' } }, required: ['from'] },
  },
  required: ['id'],
  additionalProperties: false,
  $defs: { Day: { type: 'string', format: 'date' } },
};

@ToolGroup({ name: 'crm', common: Workspace })
class CrmTools {
  @Action()
  create(input: CreateContact, workspace: Workspace): object {
    return { input, workspace };
  }

  @Action()
  find(input: FindContacts): object {
    return input;
  }

  @Action({ tags: ['danger'] })
  wipe(input: Wipe): object {
    return input;
  }

  @Action({ input: Standard })
  standard(@Input() input: object): object {
    return input;
  }

  @Action({ input: RAW })
  raw(@Input() input: object): object {
    return input;
  }
}

@ToolGroup({ name: 'flat', expose: 'flat' })
class FlatTools {
  @Action() first(input: FindContacts): object {
    return input;
  }

  @Action() second(input: Wipe): object {
    return input;
  }
}

@Module({ controllers: [CrmTools, FlatTools] })
class CrmModule {}

const OTHERS = { title: null, note: null, id: null, page: null, phone: null, address: null, reason: null };

describe.each(CONNECTIONS)('$name: null in the arguments of a call', (kind) => {
  let app: ConnectedApplication;
  let client: FeatureClient;

  beforeAll(async () => {
    app = await createConnectedApplication(kind, CrmModule);
    client = await app.client();
  });
  afterAll(() => app.close());

  const call = async (name: string, args: Record<string, unknown>): Promise<CallToolResult> =>
    (await client.callTool({ name, arguments: args })) as CallToolResult;
  const answer = async (name: string, args: Record<string, unknown>): Promise<unknown> =>
    JSON.parse(textOf(await call(name, args)));

  test('is absence in the optional fields of a DTO, also of nested ones, and their defaults apply', async () => {
    const optional = { email: null, tier: null, discount: null, tags: null, region: null };
    const address = { street: 's', zip: null };
    const args = { action: 'create', name: 'n', age: 1, ...optional, address, further: [address] };
    expect(await answer('crm', args)).toEqual({
      input: { name: 'n', age: 1, tier: 'free', address: { street: 's' }, further: [{ street: 's' }] },
      workspace: {},
    });
  });

  test('is absence in the fields of other actions', async () => {
    expect(await answer('crm', { action: 'find', limit: 5, tier: null, ...OTHERS })).toEqual({ limit: 5 });
  });

  test('reaches the handler where the field admits it, and as an item of an array', async () => {
    const args = { action: 'create', name: 'n', age: null, phone: null, tags: [null] };
    expect(await answer('crm', args)).toMatchObject({ input: { age: null, phone: null, tags: [null] } });
  });

  test('is refused in a required field, in the same words as usual', async () => {
    const refused = await call('crm', { action: 'create', name: null, age: 1, address: { street: null } });
    expect(textOf(refused)).toMatch(
      /^Validation failed: name: name must be a string; address\.street: street must be a string/,
    );
    expect(textOf(await call('crm', { action: 'create', name: 'n' }))).toMatch(/age: age must be an integer/);
  });

  test('is absence in the optional fields of a Standard Schema', async () => {
    const given = { note: null, size: null, limit: null, cleared: null, open: null };
    const args = { ...given, parts: [{ name: 'p', label: null }], labels: { l: { hue: null } } };
    expect(await answer('crm', { action: 'standard', title: 't', ...args, tier: null })).toEqual({
      ...{ title: 't', limit: 10, cleared: null, open: null },
      ...{ parts: [{ name: 'p' }], labels: { l: {} } },
    });
    expect(textOf(await call('crm', { action: 'standard', title: null }))).toMatch(
      /^Validation failed: title:/,
    );
  });

  test('is absence in the optional fields of a JSON Schema', async () => {
    const args = { id: 'i', page: null, until: null, cleared: null, range: null, tier: null };
    expect(await answer('crm', { action: 'raw', ...args })).toEqual({ id: 'i', page: 1, cleared: null });
    const refused = await call('crm', { action: 'raw', id: 'i', range: { from: null } });
    expect(textOf(refused)).toMatch(/^Validation failed: range\.from: /);
  });

  test('is an unknown field where nothing in sight declares it', async () => {
    expect(textOf(await call('crm', { action: 'find', nobody: null }))).toMatch(/nobody: unknown field/);
    expect(textOf(await call('flat_first', { reason: null }))).toMatch(/reason: unknown field/);
    expect(await answer('flat_first', { limit: null, tier: null })).toEqual({});
  });

  test('is in no published type whose author did not write it', async () => {
    const { tools } = await client.listTools();
    const properties = tools.find(({ name }) => name === 'crm')?.inputSchema.properties as Record<
      string,
      JsonSchema
    >;
    expect(properties['email']).toMatchObject({ type: 'string' });
    expect(properties['tier']).toMatchObject({ type: 'string', enum: ['free', 'pro'] });
    expect(properties['phone']?.type).toEqual(['string', 'null']);
    expect(properties['age']?.type).toEqual(['integer', 'null']);
  });
});

test('a field of an action that a filter hides is unknown, null or not', async () => {
  const app = await createConnectedApplication(CONNECTIONS[0] as (typeof CONNECTIONS)[number], CrmModule, {
    exclude: ['danger'],
  });
  const refused = await app.call('crm', { action: 'find', reason: null });
  expect(textOf(refused)).toMatch(/^Validation failed: reason: unknown field/);
  expect(textOf(await app.call('crm', { action: 'find', email: null }))).toBe('{}');
  await app.close();
});

test('a tool of the builder follows the same rules, further names included', async () => {
  const open = z.looseObject({ a: z.string().optional() });
  const registry = new ToolRegistry();
  const tool = createTool('t')
    .action({ name: 'one', schema: open, handler: (input) => input })
    .action({ name: 'two', schema: z.object({ b: z.string() }), handler: (input) => input });
  registry.register(tool);
  const result = await registry.routeCall('t', { action: 'one', a: null, b: null, c: null });
  expect(JSON.parse(textOf(result))).toEqual({ c: null });
});

test('null stands for a field that only another branch of a union has', async () => {
  const Party = z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('person'), name: z.string(), nick: z.string().optional() }),
    z.strictObject({ kind: z.literal('company'), customer: z.string() }),
  ]);
  const tool = createTool('parties').action({
    name: 'add',
    schema: z.object({ party: Party }),
    handler: (input) => input,
  });
  const add = (party: object): Promise<CallToolResult> => tool.execute({ action: 'add', party });
  const person = await add({ kind: 'person', name: 'n', nick: null, customer: null });
  expect(JSON.parse(textOf(person))).toEqual({ party: { kind: 'person', name: 'n' } });
  expect(textOf(await add({ kind: 'company', customer: null }))).toMatch(/party\.customer: /);
});

test('an output may have null for an optional field, and the published schema says so', async () => {
  class Found {
    @IsString() id!: string;
    @IsOptional() @IsString() note?: string | null;
  }
  const tool = createTool('finder').action({
    name: 'find',
    output: Found,
    handler: () => ({ id: 'a', note: null }),
  });
  const result = await tool.execute({ action: 'find' });
  expect(result.structuredContent).toEqual({ id: 'a', note: null });
  const { outputSchema } = tool.buildToolDefinition();
  expect(outputSchema?.properties?.['note']).toEqual({ type: ['string', 'null'] });
});

test('a tool that takes nothing says that it is closed', async () => {
  @ToolGroup({ name: 'idle', expose: 'flat' })
  class IdleTools {
    @Action() nothing(): void {
      return undefined;
    }

    @Action({ input: z.object({}) }) empty(): void {
      return undefined;
    }

    @Action({ input: z.looseObject({}) }) open(): void {
      return undefined;
    }
  }
  @Module({ controllers: [IdleTools] })
  class IdleModule {}
  const app = await createConnectedApplication(CONNECTIONS[0] as (typeof CONNECTIONS)[number], IdleModule);
  const { tools } = await (await app.client()).listTools();
  const closed = { type: 'object', properties: {}, required: [], additionalProperties: false };
  expect(tools.map(({ inputSchema }) => inputSchema)).toEqual([
    closed,
    closed,
    { ...closed, additionalProperties: undefined },
  ]);
  await app.close();
});
