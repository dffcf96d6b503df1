import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createMCPClient } from '@ai-sdk/mcp';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { MCPServerStreamableHttp, mcpToFunctionTool, RunContext } from '@openai/agents';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpApplication, type JsonSchema } from 'toolwright';
import { ShopModule } from '../../examples/agent-loop/shop.module.ts';
import { addressOf, EXAMPLE_NAMES, runExample } from '../support/example-process.ts';

interface Listed {
  readonly name: string;
  readonly inputSchema: JsonSchema;
}

/** The arguments of one action: its required fields filled in, and null for all the others. */
function argumentsOf({ properties = {}, required = [] }: JsonSchema, action: string | undefined): object {
  const isNeeded = (name: string, { description = '' }: JsonSchema): boolean => {
    const [, keys = ''] = /Required for: ([^\n]*?)(?:\. For: .*)?$/.exec(description) ?? [];
    return required.includes(name) || (action !== undefined && keys.split(', ').includes(action));
  };
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      if (name === 'action') return [name, action];
      return [name, isNeeded(name, schema) ? sampleOf(schema) : null];
    }),
  );
}

const TEXTS: Readonly<Record<string, string>> = {
  date: '2026-07-28',
  'date-time': '2026-07-28T10:00:00Z',
  uuid: '550e8400-e29b-41d4-a716-446655440000',
};

function sampleOf(schema: JsonSchema): unknown {
  const { type, format } = schema.anyOf?.[0] ?? schema;
  const samples: Readonly<Record<string, () => unknown>> = {
    integer: () => schema['minimum'] ?? 1,
    number: () => schema['minimum'] ?? 1,
    boolean: () => true,
    array: () => [sampleOf(schema.items as JsonSchema)],
    object: () => argumentsOf(schema, undefined),
  };
  return schema.enum?.[0] ?? samples[String([type].flat()[0])]?.() ?? TEXTS[String(format)] ?? 'a-sample';
}

/** Strict mode has no type for objects of any form, and a tool that takes one stays as it is. */
function takesAnyObject(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { type, properties, additionalProperties } = schema as JsonSchema;
  const isOpen = typeof additionalProperties === 'object' || additionalProperties === true;
  if ([type].flat().includes('object') && (isOpen || properties === undefined)) return true;
  return Object.values(schema).some(takesAnyObject);
}

function actionsOf({ inputSchema }: Listed): readonly (string | undefined)[] {
  return (inputSchema.properties?.['action']?.enum as string[] | undefined) ?? [undefined];
}

function textIn(answer: unknown): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}

/** What a call must not fail with: what the server itself did to the schema, or a null it invited. */
function expectTaken(answer: unknown): void {
  expect(textIn(answer)).not.toMatch(/VALIDATION_FAILED|MISSING_DISCRIMINATOR|did not match|Received: null/);
}

describe.each([...EXAMPLE_NAMES, 'agent-loop'] as const)('the clients of agent libraries and %s', (name) => {
  let folder: string;
  let address: string;
  let stop: () => Promise<unknown>;
  let server: MCPServerStreamableHttp;
  let listed: readonly Listed[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agent-clients-'));
    if (name === 'agent-loop') {
      const app = await McpApplication.create(ShopModule);
      ({ url: address } = await app.listen({ port: 0, signals: false }));
      stop = () => app.close();
    } else {
      const started = runExample(`${name}/main.ts`, [], {
        TASK_BOARD_FILE: join(folder, 'board.db'),
        RELEASE_MANAGER_FILE: join(folder, 'runs.db'),
        KNOWLEDGE_BASE_FOLDER: join(folder, 'pages'),
      });
      address = await addressOf(started);
      stop = () => {
        started.kill('SIGKILL');
        return started.ended;
      };
    }
    server = new MCPServerStreamableHttp({ url: address, name });
    await server.connect();
    listed = await server.listTools();
  });
  afterAll(async () => {
    await server.close();
    await stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('OpenAI Agents converts every tool to strict mode, and its calls are taken', async () => {
    for (const tool of listed) {
      const converted = mcpToFunctionTool(tool as never, server, true);
      expect([tool.name, converted.strict]).toEqual([tool.name, !takesAnyObject(tool.inputSchema)]);
      for (const action of actionsOf(tool)) {
        const args = JSON.stringify(argumentsOf(tool.inputSchema, action));
        expectTaken(await converted.invoke(new RunContext(), args));
      }
    }
  });

  test('the AI SDK has its calls taken', async () => {
    const client = await createMCPClient({ transport: { type: 'http', url: address } });
    const tools = await client.tools();
    for (const tool of listed) {
      for (const action of actionsOf(tool)) {
        const execute = tools[tool.name]?.execute as (args: object, options: object) => Promise<unknown>;
        expectTaken(
          await execute(argumentsOf(tool.inputSchema, action), { toolCallId: 'one', messages: [] }),
        );
      }
    }
    await client.close();
  });

  test('LangChain converts every tool, and its calls are taken', async () => {
    const client = new MultiServerMCPClient({ mcpServers: { it: { transport: 'http', url: address } } });
    const tools = await client.getTools();
    // Its models read texts, so that long results are cut and read on where an example can have them
    const own = tools.map((tool) => tool.name).filter((name) => name !== 'read_result');
    expect(own).toEqual(listed.map((tool) => tool.name));
    for (const tool of listed) {
      const converted = tools.find((one) => one.name === tool.name);
      for (const action of actionsOf(tool)) {
        const given = JSON.stringify(
          argumentsOf(tool.inputSchema, action),
          (_, value: unknown) => value ?? undefined,
        );
        // it holds arguments against the schema itself, which has no null for what may be left out
        const args = JSON.parse(given) as Record<string, unknown>;
        const answer: unknown = await converted?.invoke(args).catch((error: unknown) => String(error));
        expectTaken(answer);
      }
    }
    await client.close();
  });
});
