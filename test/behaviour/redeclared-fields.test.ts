import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IsIn, IsOptional, IsString, ValidateIf } from 'class-validator';
import {
  Action,
  createTool,
  Input,
  Module,
  ToolGroup,
  type CallToolResult,
  type JsonSchema,
} from 'toolwright';
import { createTestApplication } from 'toolwright/testing';
import { z } from 'zod';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient } from '../support/connections/feature-client.ts';
import { textOf } from '../support/text-of.ts';

class Workspace {
  @IsString() workspaceId!: string;
  @IsString() @IsOptional() region?: string;
}

class CreateTask extends Workspace {
  @IsString() title!: string;
}

class Mode {
  @IsIn(['a', 'b']) mode!: string;
  @ValidateIf(({ mode }: Mode) => mode === 'b') @IsString() extra?: string;
}

class Redeclared {
  @IsString() mode!: string;
}

@ToolGroup({ name: 'tasks', common: Workspace })
class TaskTools {
  @Action()
  create(input: CreateTask, workspace: Workspace): object {
    return { workspace, isWorkspace: workspace instanceof Workspace, title: input.title };
  }

  @Action()
  both(@Input(Workspace) input: Workspace): object {
    return input;
  }
}

@ToolGroup({ name: 'modes', common: Mode })
class ModeTools {
  @Action()
  set(input: Redeclared, common: Mode): object {
    return { input, common };
  }
}

@ToolGroup({ name: 'shouts', common: Workspace })
class ShoutTools {
  @Action({ input: z.object({ region: z.string().transform((region) => region.toUpperCase()) }) })
  shout(@Input() input: { region: string }, workspace: Workspace): readonly unknown[] {
    return [input.region, workspace.region, workspace instanceof Workspace];
  }
}

@Module({ controllers: [TaskTools, ModeTools, ShoutTools] })
class TasksModule {}

describe.each(CONNECTIONS)('$name: a common field that an action declares again', (kind) => {
  let app: ConnectedApplication;
  let client: FeatureClient;

  beforeAll(async () => {
    app = await createConnectedApplication(kind, TasksModule);
    client = await app.client();
  });
  afterAll(() => app.close());

  const call = async (name: string, args: Record<string, unknown>): Promise<CallToolResult> =>
    (await client.callTool({ name, arguments: args })) as CallToolResult;

  test('is in the common instance all the same', async () => {
    const args = { workspaceId: 'w', region: 'eu', title: 't' };
    expect(JSON.parse(textOf(await call('tasks', { action: 'create', ...args })))).toEqual({
      workspace: { workspaceId: 'w', region: 'eu' },
      isWorkspace: true,
      title: 't',
    });
    const both = await call('tasks', { action: 'both', workspaceId: 'w' });
    expect(JSON.parse(textOf(both))).toEqual({ workspaceId: 'w' });
  });

  test('has in the common instance what the action made of it', async () => {
    const result = await call('shouts', { action: 'shout', workspaceId: 'w', region: 'eu' });
    expect(JSON.parse(textOf(result))).toEqual(['EU', 'EU', true]);
  });

  test('is read by rules of other common fields', async () => {
    const refused = await call('modes', { action: 'set', mode: 'b', extra: 5 });
    expect(textOf(refused)).toMatch(/^Validation failed: extra: /);
    const other = await call('modes', { action: 'set', mode: 'of its own', extra: 'x' });
    expect(JSON.parse(textOf(other))).toEqual({
      input: { mode: 'of its own', extra: 'x' },
      common: { mode: 'of its own', extra: 'x' },
    });
  });
});

test('a common field that an action declares again does not cost the others their defaults, conversions and rules', async () => {
  const Range = z.object({
    from: z.number(),
    to: z.number(),
    limit: z.number().default(10),
    unit: z.string().transform((unit) => unit.toUpperCase()),
  });
  const tool = createTool('range')
    .commonSchema(Range)
    .action({ name: 'list', schema: z.object({ from: z.number().optional() }), handler: (input) => input });
  const result = await tool.execute({ action: 'list', to: 3, unit: 'm' });
  expect(JSON.parse(textOf(result))).toEqual({ to: 3, limit: 10, unit: 'M' });
});

const string: JsonSchema = { type: 'string' };

const Invoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('company'), id: z.string(), customer: z.string(), vat: z.string() }),
  z.object({ kind: z.literal('person'), id: z.string(), name: z.string(), vat: z.string().optional() }),
  z.object({ kind: z.literal(['cash', 'test']), id: z.string() }),
]);

/** The tag of one union stands beside it, the other union is untagged. */
const Payment: JsonSchema = {
  type: 'object',
  properties: { by: { enum: ['card', 'bank', 'cheque'] }, due: { ...string, default: 'now' } },
  required: ['by'],
  oneOf: [
    { properties: { by: { const: 'card' }, number: string }, required: ['number'] },
    { properties: { by: { enum: ['bank', 'cheque'] }, iban: string }, required: ['iban', 'due'] },
  ],
  anyOf: [{ required: ['note'] }, { properties: { note: string, mark: string }, required: ['mark'] }],
};

class Office {
  @IsOptional() @IsString() office?: string;
}

function grouped(options: { readonly describe?: 'plain' | 'toon'; readonly expose?: 'grouped' | 'flat' }) {
  @ToolGroup({ name: 'bills', common: Office, ...options })
  class Bills {
    @Action({ description: 'Write an invoice', input: Invoice }) invoice(
      @Input() input: z.infer<typeof Invoice>,
    ): unknown {
      return input;
    }
    @Action({ input: Payment }) pay(@Input() input: object): unknown {
      return input;
    }
  }
  @Module({ controllers: [Bills] })
  class Root {}
  return createTestApplication(Root);
}

test('a workflow line says what each branch of a tagged union needs', async () => {
  const tests = await grouped({});
  const [tool] = (await (await tests.client()).listTools()).tools;
  expect(tool?.description?.split('Workflow:\n')[1]?.split('\n')).toEqual([
    `- 'invoice': Write an invoice. Requires: kind, id; with kind "company": customer, vat; with kind "person": name`,
    `- 'pay': Requires: by; with by "card": number; with by "bank" or "cheque": iban`,
  ]);
  await tests.close();
});

test('a field says with which tag it is required, behind what it says anyway', async () => {
  const tests = await grouped({});
  const [tool] = (await (await tests.client()).listTools()).tools;
  const properties = tool?.inputSchema.properties as Record<string, JsonSchema>;
  const described = Object.entries(properties).map(([name, { description }]) => [name, description]);
  expect(Object.fromEntries(described)).toEqual({
    action: 'The action to run',
    office: 'For: invoice, pay',
    kind: 'Required for: invoice',
    id: 'Required for: invoice',
    customer: 'For: invoice. Required for invoice with kind "company"',
    vat: 'For: invoice. Required for invoice with kind "company"',
    name: 'For: invoice. Required for invoice with kind "person"',
    by: 'Required for: pay',
    due: 'For: pay',
    number: 'For: pay. Required for pay with by "card"',
    iban: 'For: pay. Required for pay with by "bank" or "cheque"',
    note: 'For: pay',
    mark: 'For: pay',
  });
  expect(Object.keys(tool?.inputSchema ?? {})).toEqual(['type', 'properties', 'required']);
  await tests.close();
});

test('a TOON description has it in the column of required fields', async () => {
  const tests = await grouped({ describe: 'toon' });
  const [tool] = (await (await tests.client()).listTools()).tools;
  expect(tool?.description).toContain(
    String.raw`invoice|Write an invoice|"kind,id; with kind \"company\": customer,vat; with kind \"person\": name"`,
  );
  await tests.close();
});

test('a tool of one action says it in its description, as its root has no union', async () => {
  const tests = await grouped({ expose: 'flat' });
  const [invoice, pay] = (await (await tests.client()).listTools()).tools;
  expect(invoice?.description).toBe(
    'Write an invoice. Requires: kind, id; with kind "company": customer, vat; with kind "person": name',
  );
  expect(pay?.description).toBe(
    'pay. Requires: by; with by "card": number; with by "bank" or "cheque": iban',
  );
  expect(invoice?.inputSchema).not.toHaveProperty('oneOf');
  await tests.close();
});

test('a call that lacks what its branch needs gets an error with the field', async () => {
  const tests = await grouped({});
  const client = await tests.client();
  const call = async (args: Record<string, unknown>): Promise<string> =>
    textOf((await client.callTool({ name: 'bills', arguments: args })) as CallToolResult);
  const invoice = await call({ action: 'invoice', kind: 'company', id: '1', customer: 'c' });
  expect(invoice).toContain('Validation failed: vat: ');
  expect(invoice).not.toContain('name');
  const pay = await call({ action: 'pay', by: 'bank', mark: 'm' });
  expect(pay).toContain('Validation failed: iban: ');
  expect(pay).not.toContain('number');
  await tests.close();
});
