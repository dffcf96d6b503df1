import { afterEach, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpApplication, type ToolContext } from 'toolwright';
import { countToolTokens } from 'toolwright/testing';
import { InMemoryRunStore, RUN_STORE, RunService, WorkflowModule } from 'toolwright/workflow';
import { MemoryLogger } from '../../support/fake-application.ts';
import { applicationWith, release } from './workflows.ts';

const directories: string[] = [];
afterEach(async () => {
  for (const each of directories.splice(0)) await rm(each, { recursive: true, force: true });
});

async function directory(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'toolwright-'));
  directories.push(made);
  return made;
}

const toolsOf = (app: McpApplication): readonly string[] => app.definitions.map(({ name }) => name).sort();

test('says what is left out, and serves the rest', async () => {
  const workflows = await directory();
  await writeFile(join(workflows, 'good.json'), JSON.stringify({ ...release, id: 'good' }));
  await writeFile(join(workflows, 'bad.json'), '{');
  await writeFile(join(workflows, 'invalid.json'), JSON.stringify({ ...release, id: 'invalid', steps: [] }));
  const logger = new MemoryLogger();
  const app = await McpApplication.create(applicationWith({ sources: [workflows] }, []), { logger });
  const told = logger.records.filter(({ event }) => event === 'workflow.left-out');
  expect(told.map(({ source }) => source)).toEqual(expect.arrayContaining([expect.stringContaining('bad')]));
  expect(told).toHaveLength(2);
  const { structuredContent } = await app.call('workflow_list');
  expect(structuredContent).toMatchObject({ workflows: [{ id: 'good' }] });
  await app.close();
});

test.each([
  ['classic', 5, false],
  ['durable', 6, true],
] as const)('serves the %s tools alone', async (tools, count, hasRuns) => {
  const app = await McpApplication.create(applicationWith({ tools }), { logger: new MemoryLogger() });
  expect(toolsOf(app)).toHaveLength(count);
  expect(app.resources.names).toEqual(hasRuns ? ['workflow', 'run'] : ['workflow']);
  await app.close();
});

test('costs a model at most 1,500 tokens, and types what a client decides by', async () => {
  const app = await McpApplication.create(applicationWith(), { logger: new MemoryLogger() });
  const { tokens, tools } = await countToolTokens(app.definitions);
  expect([tools.length, tokens <= 1500]).toEqual([11, true]);
  const outputs = new Map(app.definitions.map(({ name, outputSchema }) => [name, outputSchema?.properties]));
  const view = { runId: { type: 'string' }, token: { type: 'string' }, status: { type: 'string' } };
  for (const name of ['start', 'continue', 'resume'])
    expect(outputs.get(`workflow_${name}`)).toMatchObject({ ...view, step: { type: ['object', 'null'] } });
  // What the next call needs: no step has changed, and after the last one nothing goes on
  expect(outputs.get('workflow_checkpoint')).toMatchObject({ token: view.token, status: view.status });
  expect(outputs.get('workflow_cancel')).toMatchObject({ status: view.status });
  await app.close();
});

test('opens the store that a path names, and closes it with the application', async () => {
  const store = join(await directory(), 'runs.db');
  const first = await McpApplication.create(applicationWith({ store }), { logger: new MemoryLogger() });
  const caller = { tenant: 'default', principal: 'anybody' };
  const { runId, token } = await first.get(RunService).start(caller, { workflowId: 'release' });
  await first.close();
  await expect(first.get(RUN_STORE).load(runId)).rejects.toThrow(
    expect.objectContaining({ code: 'STORAGE_ERROR' }),
  );

  const second = await McpApplication.create(applicationWith({ store }), { logger: new MemoryLogger() });
  const { structuredContent } = await second.call('workflow_continue', { token, output: 'Added a lamp' });
  expect(structuredContent).toMatchObject({ runId, step: { id: 'approve' } });
  await second.close();
});

test('leaves a store open that it was given', async () => {
  const store = new InMemoryRunStore();
  const app = await McpApplication.create(applicationWith({ store }), { logger: new MemoryLogger() });
  await app.close();
  expect(await store.load('none')).toEqual([]);
});

test('keeps the runs of callers apart as it is asked to', async () => {
  const identify = ({ meta }: ToolContext) => ({ tenant: String(meta['tenant']), principal: 'anybody' });
  const app = await McpApplication.create(applicationWith({ identify }), { logger: new MemoryLogger() });
  const started = await app.call('workflow_start', { workflowId: 'release' }, { meta: { tenant: 'a' } });
  const { runId } = started.structuredContent as { runId: string };
  const seenBy = async (tenant: string) =>
    (await app.call('workflow_resume', { runId }, { meta: { tenant } })).isError ?? false;
  expect([await seenBy('a'), await seenBy('b')]).toEqual([false, true]);
  await app.close();
});

test.each([
  ['an unknown option', { stores: 'x' }, /option "stores".*\n.*did you mean "store"\?/],
  ['an unknown limit', { limits: { atempts: 3 } }, /option "limits.atempts".*\n.*"attempts"/],
  ['a choice that is none', { tools: 'all' }, /let tools be one of "classic", "durable", "both"/],
  ['a limit below 1', { limits: { attempts: 0 } }, /let limits.attempts be a whole number from 1/],
  ['a time without end', { limits: { runTtl: Number.MAX_SAFE_INTEGER } }, /sets limits.runTtl to/],
  ['an interval that no timer can wait', { sweepInterval: 2 ** 31 }, /let sweepInterval be a whole number/],
  ['a source in place of a list', { sources: 'x' }, /let sources be a list of sources/],
  ['a name in place of a function', { identify: 'x' }, /let identify be a function/],
])('refuses %s at once', (_name, options, message) => {
  expect(() => WorkflowModule.forRoot(options as never)).toThrow(
    expect.objectContaining({
      code: 'TW_WORKFLOW_OPTION',
      message: expect.stringMatching(message),
    }),
  );
});

test('refuses a caller without a tenant: its runs would be seen by others', async () => {
  const identify = () => ({ principal: 'anybody' }) as never;
  const logger = new MemoryLogger();
  const app = await McpApplication.create(applicationWith({ identify }), { logger });
  const { isError, content } = await app.call('workflow_start', { workflowId: 'release' });
  expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining('TW_WORKFLOW_OPTION')]);
  await app.close();
});

test('takes as many invalid outputs as the limit says', async () => {
  const limits = { attempts: 2 };
  const app = await McpApplication.create(applicationWith({ limits }), { logger: new MemoryLogger() });
  const { structuredContent } = await app.call('workflow_start', { workflowId: 'release' });
  expect(structuredContent).toMatchObject({ attemptsLeft: 2 });
  await app.close();
});

test('takes limits that are undefined for ones that are not given', async () => {
  const limits = { attempts: undefined, runTtl: undefined } as never;
  const app = await McpApplication.create(applicationWith({ limits }), { logger: new MemoryLogger() });
  const { structuredContent } = await app.call('workflow_start', { workflowId: 'release' });
  expect(structuredContent).toMatchObject({ attemptsLeft: 5 });
  await app.close();
});

test('without forRoot, forFeature says what is missing', async () => {
  const starting = McpApplication.create(WorkflowModule.forFeature([]));
  await expect(starting).rejects.toThrow(/FeatureWorkflows/);
});
