import { afterEach, describe, expect, test } from '@jest/globals';
import type { CallToolRequest } from '@modelcontextprotocol/sdk/types.js';
import { IsIn, IsString } from 'class-validator';
import {
  Action,
  createTool,
  McpApplication,
  Module,
  ToolGroup,
  type CallToolResult,
  type Describe,
} from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import {
  buildGithub,
  exampleOf,
  GITHUB_REQUESTS,
  GITHUB_TOOLS,
  groupOf,
  type RanTool,
} from '../support/github-catalogue.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { textOf } from '../support/text-of.ts';

@Module({})
class Nothing {}

const opened: TestApplication[] = [];
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

async function serve(...tools: readonly ReturnType<typeof createTool>[]): Promise<TestApplication> {
  const app = await createTestApplication(Nothing, { logger: new MemoryLogger() });
  app.app.registry.registerAll(...tools);
  opened.push(app);
  return app;
}

/** The result of a call over the wire. */
async function call(app: TestApplication, request: CallToolRequest['params']): Promise<CallToolResult> {
  return (await (await app.client()).callTool(request)) as CallToolResult;
}

/** The tools that a client sees, by name. */
async function listOf(app: TestApplication) {
  const { tools } = await (await app.client()).listTools();
  return new Map(tools.map((tool) => [tool.name, tool]));
}

describe('117 tools of a public server as one', () => {
  const ways = (['plain', 'toon', 'signatures'] as const).flatMap((way) => [
    [way, false] as const,
    [way, true] as const,
  ]);

  test.each(ways)('%s, in groups: %s: starts, and takes 40 requests', async (way, isGrouped) => {
    const app = await serve(buildGithub(way, isGrouped));
    const listed = await listOf(app);
    for (const { id, tools, args } of GITHUB_REQUESTS) {
      for (const name of tools.filter((each) => each !== 'none')) {
        const tool = GITHUB_TOOLS.find((each) => each.name === name);
        if (tool === undefined) throw new Error(`request ${String(id)} names no tool: ${name}`);
        const known = Object.keys(tool.inputSchema.properties ?? {});
        const given = Object.fromEntries(Object.entries(args).filter(([field]) => known.includes(field)));
        const input = { ...(exampleOf(tool.inputSchema) as object), ...given };
        const result = await call(app, callOf(listed, name, isGrouped, input));
        expect(result.isError).toBeUndefined();
        // With the defaults of its own schema
        expect(JSON.parse(textOf(result))).toMatchObject({ tool: name, input } satisfies RanTool);
      }
    }
  });

  /** How a client calls an action of the list that it got. */
  function callOf(
    listed: Awaited<ReturnType<typeof listOf>>,
    name: string,
    isGrouped: boolean,
    input: object,
  ) {
    const key = isGrouped ? `${groupOf({ name })}.${name}` : name;
    const flat = `github_${key.replaceAll('.', '_')}`;
    if (listed.has(flat)) return { name: flat, arguments: { ...input } };
    const tool = listed.get(`github_${groupOf({ name })}`) ?? listed.get('github');
    const [discriminator = ''] = Object.keys(tool?.inputSchema.properties ?? {});
    expect(tool?.inputSchema.properties?.[discriminator]).toMatchObject({
      enum: expect.arrayContaining([key]) as unknown,
    });
    return { name: tool?.name ?? '', arguments: { ...input, [discriminator]: key } };
  }

  test.each(ways)('%s, in groups: %s: each action refuses what only others take', async (way, isGrouped) => {
    const app = await serve(buildGithub(way, isGrouped));
    const listed = await listOf(app);
    const [texts, objects] = [['name'], [{ field_id: 'text', text_value: 'text' }]];
    const callWith = async (name: string, fields: readonly unknown[]) => {
      const { inputSchema } = GITHUB_TOOLS.find((tool) => tool.name === name) ?? {};
      const input = { ...(exampleOf(inputSchema ?? {}) as object), fields };
      return call(app, callOf(listed, name, isGrouped, input));
    };
    expect((await callWith('get_file_contents', texts)).isError).toBeUndefined();
    expect((await callWith('set_issue_fields', objects)).isError).toBeUndefined();
    expect(textOf(await callWith('get_file_contents', objects))).toContain('Validation failed: fields.0');
    expect(textOf(await callWith('set_issue_fields', texts))).toContain('Validation failed: fields.0');
  });

  test('as one group: the field `action` stays, and calls name their action in `operation`', async () => {
    const app = await serve(buildGithub('plain', false));
    const { inputSchema } = (await listOf(app)).get('github') ?? {};
    expect(Object.keys(inputSchema?.properties ?? {})[0]).toBe('operation');
    expect(inputSchema?.properties?.['action']).toMatchObject({ type: 'string' });
    const told = app.app.advice().filter(({ code }) => code.startsWith('TW_NOTE_'));
    expect(told).toEqual([
      expect.objectContaining({ code: 'TW_NOTE_DISCRIMINATOR', where: 'builder "github"' }),
      ...told.slice(1),
    ]);
    expect(told.slice(1).map(({ code }) => code)).toEqual(told.slice(1).map(() => 'TW_NOTE_FIELD_TYPES'));
    expect(told.map(({ what }) => what).join()).toContain(
      'declares the field "fields[]" as string for get_file_contents and as object for set_issue_fields.',
    );
  });

  test('with signatures: one tool for each group, with whole keys, within what clients read', async () => {
    const app = await serve(buildGithub('signatures', true));
    const listed = await listOf(app);
    const groups = [...new Set(GITHUB_TOOLS.map(groupOf))];
    expect(listed.size).toBeGreaterThanOrEqual(groups.length);
    for (const { description = '' } of listed.values()) expect(description.length).toBeLessThanOrEqual(2048);
    expect(listed.get('github_notifications')?.description).toContain(
      'notifications.manage_repository_notification_subscription(action, owner, repo): Manage',
    );
    expect(app.app.advice().map(({ code }) => code)).toContain('TW_SURFACE_SHORTENED');
  });
});

const withField = (name: string) => ({
  type: 'object' as const,
  properties: { [name]: { type: 'string' } },
  required: [name],
});

describe('a field named like the discriminator', () => {
  const run = { name: 'run', handler: (input: unknown) => input };

  test('gets another name beside it where each such input is a JSON Schema', async () => {
    const app = await serve(
      createTool('jobs')
        .action({ ...run, input: withField('action') })
        .action({ name: 'move', input: withField('operation'), handler: () => 'moved' }),
    );
    const { inputSchema } = (await listOf(app)).get('jobs') ?? {};
    expect(Object.keys(inputSchema?.properties ?? {})).toEqual(['operation_2', 'action', 'operation']);
    const result = await call(app, {
      name: 'jobs',
      arguments: { operation_2: 'run', action: 'x' },
    });
    expect(JSON.parse(textOf(result))).toEqual({ action: 'x' });
    const unnamed = await call(app, { name: 'jobs', arguments: { action: 'run' } });
    expect(textOf(unnamed)).toContain('operation_2 is required. Available: run, move');
  });

  test('keeps the name for each filter, so that it says nothing of what is hidden', async () => {
    const app = await serve(
      createTool('jobs')
        .action({ ...run, input: withField('action'), tags: ['own'] })
        .action({ name: 'list', handler: () => 'none' }),
    );
    const [tool] = app.app.registry.getTools({ exclude: ['own'] });
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(['operation']);
  });

  test.each([
    ['the author names the discriminator', createTool('jobs').discriminator('action')],
    ['the author names another one that is a field', createTool('jobs').discriminator('kind')],
  ])('is a problem where %s', (_, builder) => {
    builder
      .action({ ...run, input: withField('action') })
      .action({ ...run, name: 'b', input: withField('kind') });
    expect(() => builder.buildToolDefinition()).toThrow(
      expect.objectContaining({
        code: 'TW_COMPILE_FIELD_IS_DISCRIMINATOR',
        fix: expect.stringContaining("{ discriminator: 'operation' }") as unknown,
      }),
    );
  });

  test('is a problem in a class, which can rename it; the fix names what is free', async () => {
    class Job {
      @IsString() action!: string;
      @IsIn(['now']) operation!: string;
    }
    @ToolGroup('jobs')
    class Jobs {
      @Action() run(_job: Job): void {}
    }
    @Module({ controllers: [Jobs] })
    class JobsModule {}
    await expect(McpApplication.create(JobsModule)).rejects.toThrow("{ discriminator: 'operation_2' }");
  });
});

describe('a field of types that exclude each other', () => {
  const tool = (way: Describe) =>
    createTool('pages', { describe: way })
      .action({
        name: 'find',
        input: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
        handler: ({ id }) => id,
      })
      .action({
        name: 'count',
        input: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
        handler: ({ id }) => id,
      });

  test.each(['plain', 'toon', 'signatures'] as const)('%s: names the actions of each type', async (way) => {
    const app = await serve(tool(way));
    const { inputSchema, description } = (await listOf(app)).get('pages') ?? {};
    expect(inputSchema?.properties?.['id']).toMatchObject({
      anyOf: [
        { type: 'string', description: 'For: find' },
        { type: 'integer', description: 'For: count' },
      ],
    });
    if (way === 'signatures') expect(description).toContain('find(id: string)\ncount(id: integer)');
    const run = async (action: string, id: unknown) =>
      call(app, { name: 'pages', arguments: { action, id } });
    expect(textOf(await run('find', '1'))).toBe('1');
    expect(textOf(await run('count', 1))).toBe('1');
    expect(textOf(await run('find', 1))).toContain('Validation failed: id');
    expect(textOf(await run('count', 'one'))).toContain('Validation failed: id');
  });
});
