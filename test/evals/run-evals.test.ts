import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IsIn, IsInt, IsOptional, IsString, Max, Min, MinLength } from 'class-validator';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Action, Destructive, Field, McpApplication, Module, ReadOnly, ToolGroup } from 'toolwright';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { McpClient } from '../../src/client/mcp-client.ts';
import {
  recordedModel,
  recordModel,
  runEvals,
  type EvalCase,
  type EvalModel,
  type EvalOptions,
  type EvalReport,
} from '../../src/evals/index.ts';

class Task {
  @IsString() @MinLength(1) @Field('What has to be done') title!: string;
  @IsOptional() @IsInt() @Min(1) @Max(5) @Field('1 is the most urgent') priority?: number;
}

class Urgent extends Task {
  @IsIn(['low', 'high']) @Field('How urgent it is') urgency!: string;
}

class Renamed extends Task {
  @IsIn(['minor', 'major']) @Field('How urgent it is') urgency!: string;
}

class Numbered {
  @IsInt() @Min(1) @Field('Number of the task') task!: number;
}

/** The same actions with other texts. */
function openTasks(createText = 'Create a task'): () => Promise<McpApplication> {
  @ToolGroup({ name: 'tasks', description: 'Tasks of a team' })
  class Tasks {
    readonly titles: string[] = [];
    @Action('List all tasks') @ReadOnly() list() {
      return this.titles;
    }
    @Action(createText) create({ title }: Task) {
      return `Task ${String(this.titles.push(title))}`;
    }
    @Action('Delete a task for good') @Destructive({ confirm: true }) delete({ task }: Numbered) {
      return `Task ${String(task)} is gone`;
    }
  }
  @Module({ controllers: [Tasks] })
  class TasksModule {}
  return () => McpApplication.create(TasksModule, { name: 'tasks' });
}

const CASES: readonly EvalCase[] = [
  {
    name: 'creates a task',
    ask: 'We have to buy milk, and it is urgent',
    queries: ['create task'],
    expect: [{ action: 'tasks.create', input: { title: 'Buy milk' } }],
  },
  {
    name: 'deletes a task',
    ask: 'Get rid of number 3',
    expect: [{ action: 'tasks.delete', input: { task: 3 } }],
  },
  { name: 'small talk', ask: 'How are you today?', expect: 'none' },
];
const [CREATES, , TALKS] = CASES as [EvalCase, EvalCase, EvalCase];

const run = (cases: readonly EvalCase[], options?: EvalOptions): Promise<EvalReport> =>
  runEvals(openTasks(), cases, options);

describe('the scripted model', () => {
  test.each(['own', 'flat', 'grouped-by-risk', 'progressive'] as const)(
    '71: makes the expected calls on the surface %s, and two runs give the same bytes',
    async (surface) => {
      const report = await run(CASES, { surface });
      expect(report.runs.map(({ status, why }) => [status, why])).toEqual(
        CASES.map(() => ['done', undefined]),
      );
      const { repaired, ...measured } = report.metrics;
      expect(repaired.of).toBe(0);
      for (const share of Object.values(measured)) expect(share).toMatchObject({ share: 1 });
      expect(report.metrics.done).toEqual({ passed: 3, of: 3, share: 1, low: 0.4385, high: 1 });
      expect(JSON.stringify(await run(CASES, { surface }))).toBe(JSON.stringify(report));
    },
  );

  test('72: a wrong argument that is then right counts as repaired, and not as valid at the first try', async () => {
    const script = ['', 'Buy milk'].map((title) => ({ action: 'tasks.create', input: { title } }));
    const { metrics, extraCalls } = await run([{ ...CREATES, script }]);
    expect(metrics.validArguments).toMatchObject({ passed: 0, of: 1 });
    expect(metrics.repaired).toMatchObject({ passed: 1, of: 1 });
    expect(metrics.done).toMatchObject({ passed: 1, of: 1 });
    expect(extraCalls).toBe(0);
  });

  test('74: a call where nothing should be called counts against the model', async () => {
    const { metrics, runs } = await run([{ ...TALKS, script: [{ action: 'tasks.list' }] }]);
    expect(metrics.noCall).toMatchObject({ passed: 0, of: 1 });
    expect(runs).toMatchObject([{ status: 'failed', why: 'Nothing should be called, and tasks.list was.' }]);
  });

  test.each([
    [
      'another action',
      { script: [{ action: 'tasks.list' }] },
      'tasks.create was not called; tasks.list was.',
    ],
    [
      'other arguments',
      { script: [{ action: 'tasks.create', input: { title: 'Bread' } }] },
      'tasks.create was called with other arguments: {"title":"Bread"}.',
    ],
    [
      'a failed check',
      { script: [{ action: 'tasks.create' }] },
      'tasks.create was called and failed: VALIDATION_FAILED.',
    ],
    [
      'what is there afterwards',
      {
        after: () => {
          throw new Error('no milk');
        },
      },
      'After the calls: no milk',
    ],
  ] as const)('a case fails by %s, and says so', async (_what, change, why) => {
    const { runs } = await run([{ ...CREATES, ...change }]);
    expect(runs).toMatchObject([{ status: 'failed', why }]);
  });

  test.each([
    [
      'a misspelt action',
      { expect: [{ action: 'tasks.creat' }] },
      /names the action "tasks.creat".*tasks\.create/s,
    ],
    ['a misspelt member', { aks: 'Hello' }, /aks/],
    ['a function without a script', { expect: [{ action: 'tasks.create', input: () => true }] }, /no script/],
  ])('%s is refused', async (_what, change, message) => {
    const faulty = { ...CREATES, ...change } as EvalCase;
    await expect(run([faulty])).rejects.toMatchObject({ code: 'TW_EVALS_CASE' });
    await expect(run([faulty])).rejects.toThrow(message);
  });
});

test('retrieval ranks requests and written queries apart, on what a surface shows', async () => {
  const flat = await run(CASES, { surface: 'flat' });
  expect(flat.retrieval).toMatchObject({
    documents: 3,
    // All three are among five, whatever is searched for
    queriesAmongFive: { of: 0 },
    cases: [{ case: 'creates a task', queries: [1] }, { case: 'deletes a task' }],
  });
  const found = await run(CASES, { surface: 'progressive' });
  expect(found.retrieval.cases[0]).toMatchObject({ queries: [1] });
});

test('a wrong enum is found: the call of the case is refused', async () => {
  const openWith = (input: typeof Urgent | typeof Renamed) => () => {
    @ToolGroup({ name: 'tasks', description: 'Tasks of a team' })
    class Tasks {
      @Action({ description: 'Create a task', input }) create() {
        return 'Created';
      }
    }
    @Module({ controllers: [Tasks] })
    class TasksModule {}
    return McpApplication.create(TasksModule, { name: 'tasks' });
  };
  const urgent = { action: 'tasks.create', input: { title: 'Buy milk', urgency: 'high' } };
  const cases = [{ name: 'urgent', ask: 'We have to buy milk at once', expect: [urgent] }];
  expect((await runEvals(openWith(Urgent), cases)).runs).toMatchObject([{ status: 'done' }]);
  expect((await runEvals(openWith(Renamed), cases)).runs).toMatchObject([
    { status: 'failed', calls: [{ code: 'VALIDATION_FAILED' }] },
  ]);
});

test('a worse description is found: by retrieval, and as one that is like another', async () => {
  const written = [{ ...CREATES, queries: ['chore for the team'] }];
  const rankWith = async (text: string): Promise<unknown> => {
    const { retrieval } = await runEvals(openTasks(text), written, { surface: 'flat' });
    return retrieval.cases[0]?.queries[0];
  };
  expect([await rankWith('Add a chore'), await rankWith('Create an item')]).toEqual([1, null]);
  const { findings } = await runEvals(openTasks('List the tasks'), CASES, { surface: 'flat' });
  expect(findings).toEqual([
    {
      rule: 'similar-descriptions',
      where: 'tasks.list',
      message: 'Its description has nearly the words of tasks.create.',
    },
  ]);
  expect((await run(CASES, { surface: 'flat' })).findings).toEqual([]);
});

describe('a model', () => {
  test.each([
    ['own', /^Team\./],
    ['flat', /^Team\./],
    ['progressive', undefined],
  ] as const)(
    'is given on %s the instructions that clients of this surface get',
    async (surface, instructions) => {
      @ToolGroup({ name: 'users', description: 'People of the team' })
      class Users {
        @Action('List all people') list() {
          return [];
        }
      }
      @ToolGroup({ name: 'tasks', description: 'Tasks of a team' })
      class Tasks {
        @Action('List all tasks') list() {
          return [];
        }
      }
      @Module({ controllers: [Users, Tasks] })
      class TeamModule {}
      const open = (): Promise<McpApplication> =>
        McpApplication.create(TeamModule, { name: 'team', surface: { choose: ['path'] } });
      const app = await open();
      const path = surface === 'own' ? '' : `/${surface}`;
      const client = await McpClient.connect(
        new HttpTransport(`http://localhost/mcp${path}`, {
          fetch: (input, init) => app.fetch(new Request(input, init)),
        }),
      );
      const given: unknown[] = [];
      for (const format of ['openai', 'openai-responses', 'anthropic', 'gemini'] as const) {
        const respond: EvalModel['respond'] = async (request) => {
          const { messages, system, config } = request;
          const [first] = (messages ?? []) as readonly { role: string; content: string }[];
          const inConfig = (config as Record<string, unknown> | undefined)?.['systemInstruction'];
          const inMessage = first?.role === 'system' ? first.content : undefined;
          given.push(request['instructions'] ?? system ?? inConfig ?? inMessage);
          return {
            ...{ choices: [{ message: { role: 'assistant', content: 'Done.' } }], output: [] },
            ...{ content: [], candidates: [] },
          };
        };
        await runEvals(open, [TALKS], { surface, model: { name: 'asked', format, respond } });
      }
      expect(client.server.instructions).toEqual(instructions && expect.stringMatching(instructions));
      expect(given).toEqual(Array(4).fill(client.server.instructions));
      await client.close();
      await app.close();
    },
  );

  test('that does not answer in time has failed its case, and the next one is asked', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const model: EvalModel = {
      name: 'slow',
      format: 'openai',
      respond: (_request, signal) => {
        signals.push(signal);
        return new Promise(() => {});
      },
    };
    const { runs, metrics } = await run([CREATES, TALKS], { model, timeout: 5 });
    const late = { status: 'failed', why: 'The model did not answer within 5 ms.', checks: {} };
    expect(runs).toMatchObject([late, late]);
    expect(metrics).toMatchObject({ done: { passed: 0, of: 2 }, noCall: { of: 0 } });
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  });

  test('that writes a key has it nowhere in the report', async () => {
    process.env['EVALS_TEST_KEY'] = 'sk-0123456789';
    const fails: EvalCase = {
      ...TALKS,
      tags: ['sk-0123456789'],
      after: () => {
        throw new Error('no sk-0123456789');
      },
    };
    const script = [{ action: 'tasks.create', input: { title: 'sk-0123456789' } }];
    const report = await run([{ ...CREATES, script }, fails]);
    delete process.env['EVALS_TEST_KEY'];
    expect(report.runs).toMatchObject([
      { why: expect.stringContaining('[redacted]'), calls: [{ input: { title: '[redacted]' } }] },
      { why: 'After the calls: no [redacted]', tags: ['[redacted]'] },
    ]);
    expect(JSON.stringify(report)).not.toContain('0123456789');
  });
});

describe('a recording', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolwright-evals-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Calls the first tool it is shown as Claude would; it says its key, as an error may. */
  const claude: EvalModel = {
    name: 'anthropic/test',
    format: 'anthropic',
    respond: async ({ messages }) => ({
      content:
        (messages as readonly unknown[]).length === 1
          ? [
              {
                type: 'tool_use',
                id: 't1',
                name: 'tasks',
                input: { action: 'create', title: 'Buy milk' },
              },
            ]
          : [{ type: 'text', text: 'Done with sk-secret-1234 and "quoted\\ secret' }],
      usage: { input_tokens: 10, output_tokens: 5 },
    }),
  };

  test('73, 75: passes offline, goes stale with the tools, and has no key in it', async () => {
    const file = join(folder, 'claude.jsonl');
    const live = await run([CREATES], {
      model: recordModel(claude, file, ['sk-secret-1234', '"quoted\\ secret']),
    });
    expect(live.runs).toMatchObject([{ status: 'done', usage: { input: 20, output: 10 } }]);
    expect(await readFile(file, 'utf8')).not.toMatch(/sk-secret|quoted/);
    const model = await recordedModel(file);
    const again = await run([CREATES], { model });
    expect({ ...again, runs: [] }).toEqual({ ...live, runs: [] });
    const changed = await runEvals(openTasks('Add a task'), [CREATES], { model: await recordedModel(file) });
    expect(changed.runs).toMatchObject([{ status: 'stale', why: expect.stringContaining('the tools') }]);
    // It is neither a success nor a failure
    expect(changed.metrics.done).toMatchObject({ of: 0 });
  });

  test.each([
    ['openai', { error: 'overloaded' }],
    ['openai-responses', {}],
    ['anthropic', '<html>'],
    ['gemini', null],
  ] as const)('is not made of what is not an answer of %s', async (format, garbage) => {
    const model = { name: 'broken', format, respond: async () => garbage as never };
    await expect(run([TALKS], { model })).rejects.toThrow(/TW_EVALS_MODEL.*something else than an answer/s);
  });

  test('is one of the model that was asked: another one of the same form has not said it', async () => {
    const file = join(folder, 'names.jsonl');
    await run([CREATES], { model: recordModel(claude, file) });
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll('"anthropic/test"', '"anthropic/other"'));
    expect((await run([CREATES], { model: await recordedModel(file) })).runs).toMatchObject([
      { status: 'stale' },
    ]);
  });

  test('that cannot be read says how to make one', async () => {
    await expect(recordedModel(join(folder, 'none.jsonl'))).rejects.toThrow(
      /TW_EVALS_MODEL.*cannot be read/s,
    );
  });
});
