import { afterEach, describe, expect, test } from '@jest/globals';
import { IsInt, IsString } from 'class-validator';
import {
  Action,
  createTool,
  Idempotent,
  Middleware,
  Module,
  ToolGroup,
  type MiddlewareCall,
  type Next,
} from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';

class Payment {
  @IsInt() amount!: number;
}

class Note {
  @IsString() text!: string;
}

const inputs: unknown[] = [];
const changes: unknown[] = [];

function change({ input }: MiddlewareCall, next: Next): unknown {
  try {
    (input as Payment).amount = 1;
  } catch (thrown) {
    changes.push(thrown);
  }
  return next();
}

@ToolGroup({ name: 'ledger', description: 'Keeps books' })
class Ledger {
  @Action('Pay')
  @Idempotent({ key: 'idempotencyKey' })
  @Middleware(change)
  pay(input: Payment): string {
    inputs.push({ amount: input.amount });
    return `paid ${String(input.amount)}`;
  }
  @Action('Close the day')
  @Idempotent({ key: 'idempotencyKey' })
  close(): string {
    return 'closed';
  }
  @Action('Write a note')
  note({ text }: Note): string {
    return text;
  }
}

@Module({ controllers: [Ledger] })
class LedgerModule {}

const open: TestApplication[] = [];

async function start(options = {}): Promise<TestApplication> {
  inputs.length = 0;
  changes.length = 0;
  const app = await createTestApplication(LedgerModule, options);
  open.push(app);
  return app;
}

afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

const KEY = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[ -~]+$',
  description: 'Identifies this call: a new value for each, and the same one to repeat it',
};

describe('the argument idempotencyKey', () => {
  test('is listed once in a grouped tool, with the actions that need it', async () => {
    const [tool] = await (await start()).listTools();
    const properties = tool?.inputSchema.properties ?? {};
    expect(Object.keys(properties)).toEqual(['action', 'amount', 'idempotencyKey', 'text']);
    expect(properties['idempotencyKey']).toEqual({
      ...KEY,
      description: `${KEY.description}. Required for: pay, close`,
    });
    expect(tool?.inputSchema.required).toEqual(['action']);
  });

  test('is listed in the flat tools that need it, and in no other', async () => {
    const tools = await (await start({ expose: 'flat' })).listTools();
    const listed = Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema]));
    expect(listed['ledger_pay']?.properties?.['idempotencyKey']).toEqual(KEY);
    expect(listed['ledger_pay']?.required).toEqual(['amount', 'idempotencyKey']);
    expect(listed['ledger_close']).toMatchObject({
      properties: { idempotencyKey: KEY },
      required: ['idempotencyKey'],
      additionalProperties: false,
    });
    expect(listed['ledger_note']?.properties).not.toHaveProperty('idempotencyKey');
  });

  test('never reaches the handler', async () => {
    const app = await start();
    const result = await app.call('ledger', { action: 'pay', amount: 5, idempotencyKey: 'a' });
    expect(result.content).toEqual([{ type: 'text', text: 'paid 5' }]);
    expect(inputs).toEqual([{ amount: 5 }]);
  });

  test('is unknown to actions of the tool that do not need it', async () => {
    const app = await start();
    const result = await app.call('ledger', { action: 'note', text: 'a', idempotencyKey: 'a' });
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'toolwright/error': { code: 'VALIDATION_FAILED', issues: [{ path: 'idempotencyKey' }] } },
    });
    // Null for a field of another action is none
    const empty = await app.call('ledger', { action: 'note', text: 'a', idempotencyKey: null });
    expect(empty).toMatchObject({ content: [{ text: 'a' }] });
  });

  test.each([[''], ['é'], ['a'.repeat(256)], [7], [{}]])(
    'is refused if it cannot be a key: %j',
    async (key) => {
      const app = await start();
      const result = await app.call('ledger', { action: 'pay', amount: 'x', idempotencyKey: key });
      const issues = (result._meta?.['toolwright/error'] as { issues: { path: string }[] }).issues;
      expect(issues.map(({ path }) => path)).toEqual(['amount', 'idempotencyKey']);
      expect(inputs).toEqual([]);
    },
  );

  test('is named where it is missing beside other mistakes, and among the accepted fields', async () => {
    const app = await start();
    const result = await app.call('ledger', { action: 'pay', amout: 5 });
    expect(result).toMatchObject({
      _meta: {
        'toolwright/error': {
          issues: expect.arrayContaining([
            expect.objectContaining({ path: 'amout', accepted: ['amount', 'idempotencyKey'] }),
            { path: 'idempotencyKey', message: 'is required', received: 'nothing' },
          ]),
        },
      },
    });
  });

  test('is a start-up problem as the field of an input, in any action of the tool', async () => {
    class Own {
      @IsString() idempotencyKey!: string;
    }
    @ToolGroup({ name: 'own' })
    class OwnKeys {
      @Action() @Idempotent({ key: 'idempotencyKey' }) pay(): void {}
      @Action() note(_input: Own): void {}
    }
    @Module({ controllers: [OwnKeys] })
    class OwnModule {}
    await expect(createTestApplication(OwnModule)).rejects.toMatchObject({
      problems: [expect.objectContaining({ code: 'TW_COMPILE_FIELD_RESERVED', where: 'OwnKeys.note()' })],
    });
  });

  test('is a field like any other where no action of the tool needs it', async () => {
    const tool = createTool('plain').action({
      name: 'pay',
      idempotent: { key: 'arguments' },
      input: { type: 'object', properties: { idempotencyKey: { type: 'string' } } } as const,
      handler: (input: { readonly idempotencyKey?: string }) => input.idempotencyKey,
    });
    const result = await tool.execute({ action: 'pay', idempotencyKey: 'é' });
    expect(result).toMatchObject({ content: [{ text: 'é' }] });
  });

  test('is added to a JSON Schema that is listed as it was written', async () => {
    const schema = { type: 'object', properties: { amount: { type: 'integer' } }, minProperties: 1 } as const;
    const tool = createTool('plain').action({
      name: 'pay',
      idempotent: { key: 'idempotencyKey' },
      input: schema,
      handler: () => 'paid',
    });
    const definition = tool.buildToolDefinition();
    expect(definition.inputSchema.properties).toMatchObject({ idempotencyKey: { type: 'string' } });
  });
});

describe('the input of an action with a key', () => {
  test('is frozen for its middleware', async () => {
    const app = await start();
    await app.call('ledger', { action: 'pay', amount: 5, idempotencyKey: 'a' });
    expect(changes).toEqual([expect.any(TypeError)]);
    expect(inputs).toEqual([{ amount: 5 }]);
  });
});

test('@Idempotent with options needs to know by which key', async () => {
  @ToolGroup({ name: 'own' })
  class Keyless {
    @Action() @Idempotent({ ttl: 0, onUnknown: 'again', kye: 'arguments' } as never) pay(): void {}
  }
  @Module({ controllers: [Keyless] })
  class KeylessModule {}
  const failed = await createTestApplication(KeylessModule).catch((thrown: unknown) => thrown);
  const { problems } = failed as { problems: { code: string; what: string }[] };
  expect(problems.map(({ code }) => code).sort()).toEqual([
    'TW_SCAN_OPTION_UNKNOWN',
    'TW_SCAN_OPTION_VALUE',
    'TW_SCAN_OPTION_VALUE',
    'TW_SCAN_OPTION_VALUE',
  ]);
});
