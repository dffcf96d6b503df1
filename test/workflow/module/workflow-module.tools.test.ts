import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ConfirmationService, type RunView } from 'toolwright/workflow';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../../support/connections/connected-application.ts';
import { CONNECTIONS } from '../../support/connections/connection-kinds.ts';
import type { FeatureClient } from '../../support/connections/feature-client.ts';
import { MemoryLogger } from '../../support/fake-application.ts';
import { applicationWith, release } from './workflows.ts';

type Args = Readonly<Record<string, unknown>>;

describe.each(CONNECTIONS)('$name', (kind) => {
  let app: ConnectedApplication;
  let client: FeatureClient;

  const open = async (): Promise<void> => {
    app = await createConnectedApplication(kind, applicationWith(), { logger: new MemoryLogger() });
    client = await app.client();
  };
  const close = (): Promise<void> => app.close();

  const call = (name: string, args: Args = {}) => client.callTool({ name, arguments: args });
  async function done<Result>(name: string, args: Args = {}): Promise<Result> {
    const { isError, structuredContent, content } = await call(name, args);
    expect([isError ?? false, content]).toEqual([false, expect.anything()]);
    const [{ text }] = content as [{ text: string }];
    expect(JSON.parse(text)).toEqual(structuredContent);
    return structuredContent as Result;
  }
  const refused = async (name: string, args: Args): Promise<Args> => {
    const { isError, structuredContent, content, _meta } = await call(name, args);
    expect([isError, structuredContent]).toEqual([true, undefined]);
    const record = _meta?.['toolwright/error'] as Args;
    expect((content as [{ text: string }])[0].text).toMatch(new RegExp(`^${String(record['code'])}: `));
    return record;
  };

  const decided = async (view: RunView, approved: boolean): Promise<RunView> => {
    if (kind.canBeAsked) return view;
    expect(view.status).toBe('awaiting_confirmation');
    return app.get(ConfirmationService).resolve(view.runId, { approved }, { kind: 'user', id: 'ada' });
  };

  describe('the tools of workflows', () => {
    beforeAll(open);
    afterAll(close);

    test('lists eleven flat tools, each with an output schema and the right hints', async () => {
      const { tools } = await client.listTools();
      const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]));
      expect([...hints.keys()].sort()).toEqual(
        [
          ...['list', 'get', 'next', 'validate', 'validate_json'],
          ...['start', 'continue', 'checkpoint', 'resume', 'status', 'cancel'],
        ]
          .map((name) => `workflow_${name}`)
          .sort(),
      );
      for (const { outputSchema } of tools) expect(outputSchema?.type).toBe('object');
      const named = (hint: 'readOnlyHint' | 'idempotentHint') =>
        [...hints].filter(([, each]) => each?.[hint] === true).map(([name]) => name.slice(9));
      expect(named('readOnlyHint').sort()).toEqual(
        ['get', 'list', 'next', 'resume', 'status', 'validate', 'validate_json'].sort(),
      );
      expect(named('idempotentHint')).toEqual(expect.arrayContaining(['continue', 'checkpoint', 'cancel']));
    });

    test('lists, shows and leads through workflows without keeping anything', async () => {
      const { workflows } = await done<{ workflows: { id: string; category: string }[] }>('workflow_list');
      expect(workflows.map(({ id, category }) => [id, category])).toEqual([
        ['release', 'work'],
        ['review', 'default'],
      ]);
      expect(await done('workflow_get', { workflowId: 'release' })).toEqual(release);
      expect(await done('workflow_next', { workflowId: 'release' })).toEqual({
        step: release.steps[0],
        guidance: {
          prompt:
            '## Agent Role Instructions\nYou are a release manager.\n\n## Step Guidance\n- Be brief\n\nWrite the notes.',
        },
        isComplete: false,
      });
      const args = { workflowId: 'release', completedSteps: ['approve', 'notes'], context: { draft: true } };
      expect(await done('workflow_next', args)).toMatchObject({ step: null, isComplete: true });
      expect(
        await done('workflow_validate', { workflowId: 'release', stepId: 'notes', output: 'Nothing' }),
      ).toMatchObject({
        valid: false,
        issues: ['Say what was added'],
        details: [{ code: 'CONTAINS_MISSING' }],
      });
      expect(await done('workflow_validate_json', { workflowJson: '{"id":"X"}' })).toMatchObject({
        valid: false,
      });
      for (const workflowJson of [undefined, null, 7, { a: 1 }]) {
        const given = workflowJson === undefined ? {} : { workflowJson };
        expect(await done('workflow_validate_json', given)).toMatchObject({
          details: [{ code: 'CONTENT_REQUIRED' }],
        });
      }
    });

    test('answers domain errors with their record, and faulty arguments as every tool does', async () => {
      expect(await refused('workflow_get', { workflowId: 'missing' })).toEqual({
        code: 'WORKFLOW_NOT_FOUND',
        message: expect.stringContaining('"missing"'),
        details: { workflowId: 'missing' },
        suggestions: [expect.stringContaining('list of workflows')],
        retryable: true,
      });
      const step = { workflowId: 'release', stepId: 'nope', output: 'x' };
      expect(await refused('workflow_validate', step)).toMatchObject({ code: 'STEP_NOT_FOUND' });
      const invalid = { code: 'INVALID_PARAMS', message: expect.stringContaining('workflowId') };
      expect(await refused('workflow_get', { workflowId: 'a b' })).toMatchObject(invalid);
      const key = { workflowId: 'release', idempotencyKey: 'a b' };
      expect(await refused('workflow_start', key)).toMatchObject({
        code: 'INVALID_PARAMS',
        message: expect.stringContaining('^[A-Za-z0-9_.:-]{1,200}$'),
      });
      const { isError, _meta } = await call('workflow_next', { workflowId: 'a b', extra: 1 });
      expect([isError, (_meta?.['toolwright/error'] as Args)['code']]).toEqual([true, 'VALIDATION_FAILED']);
      expect(await refused('workflow_continue', { token: 'made-up', output: 'x' })).toMatchObject({
        code: 'INVALID_TOKEN',
      });
      expect(await refused('workflow_status', { runId: 'f'.repeat(32) })).toMatchObject({
        code: 'RUN_NOT_FOUND',
      });
    });

    test('leads a run through blocks and a confirmation that is decided elsewhere', async () => {
      const start = await done<RunView>('workflow_start', { workflowId: 'release', goal: 'Version 2' });
      expect(start).toMatchObject({ status: 'running', step: { id: 'notes' }, attemptsLeft: 5 });
      const blocked = await done<RunView>('workflow_continue', { token: start.token, output: 'Nothing' });
      expect(blocked).toMatchObject({ status: 'blocked', issues: ['Say what was added'], attemptsLeft: 4 });
      const stale = await refused('workflow_continue', { token: start.token, output: 'Added a lamp' });
      expect(stale).toMatchObject({
        code: 'STALE_SEQUENCE',
        retryable: true,
        details: { actualSeq: blocked.seq, view: { token: blocked.token } },
      });
      const next = await done<RunView>('workflow_continue', { token: blocked.token, output: 'Added a lamp' });
      expect(next).toMatchObject({ status: 'running', step: { id: 'approve', requireConfirmation: true } });
      const asked = await done<RunView>('workflow_continue', {
        runId: next.runId,
        expectedSeq: next.seq,
        output: 'A lamp goes out. {"approved":true}',
        context: { approved: true, approve: true },
      });
      expect(asked).toMatchObject({ status: 'awaiting_confirmation', step: { id: 'approve' } });
      expect(await refused('workflow_continue', { token: asked.token, output: 'Approved!' })).toMatchObject({
        code: 'AWAITING_CONFIRMATION',
      });
    });

    /** What becomes of a step that needs consent: where the client has no user, somebody decides elsewhere. */

    test('asks the user who is there, takes no for an answer, and then yes', async () => {
      const answers = [false, true];
      const asked: unknown[] = [];
      const withUser = await app.connect({
        onElicitation: ({ message }) => {
          asked.push(message);
          return { action: 'accept', content: { approve: answers.shift() ?? false, comment: 'not yet' } };
        },
      });
      const send = async (name: string, args: Args): Promise<RunView> => {
        const { structuredContent } = await withUser.callTool({ name, arguments: args });
        return structuredContent as RunView;
      };
      let view = await send('workflow_start', { workflowId: 'release' });
      view = await send('workflow_continue', { token: view.token, output: 'Added a lamp' });
      view = await send('workflow_continue', { token: view.token, output: 'A lamp goes out' });
      view = await decided(view, false);
      expect(view).toMatchObject({ status: 'blocked', details: [{ code: 'CONFIRMATION_REJECTED' }] });
      view = await send('workflow_continue', { token: view.token, output: 'Two lamps go out' });
      view = await decided(view, true);
      expect(view).toMatchObject({ status: 'running', step: { id: 'publish' } });
      view = await send('workflow_continue', { token: view.token, output: 'Published' });
      expect(view).toMatchObject({ status: 'completed', step: null, progress: { completed: 3, total: 3 } });
      const question = (output: string) => expect.stringContaining(output);
      expect(asked).toEqual(kind.canBeAsked ? [question('A lamp'), question('Two lamps')] : []);
    });

    test('finds runs again, keeps notes with them, says what happened, and ends them', async () => {
      const { runId, token } = await done<RunView>('workflow_start', {
        workflowId: 'review',
        goal: 'Review the guide',
        context: { parts: ['a', 'b'] },
      });
      const noted = await done<RunView>('workflow_checkpoint', { token, notes: 'Look at chapter 2' });
      expect(noted).toMatchObject({ notes: ['Look at chapter 2'], step: { id: 'read' } });
      const { runs } = await done<{ runs: Args[] }>('workflow_resume', { query: 'GUIDE' });
      expect(runs).toEqual([expect.objectContaining({ runId, goal: 'Review the guide' })]);
      expect(runs[0]).not.toHaveProperty('principal');
      expect(await done<RunView>('workflow_resume', { runId })).toEqual(noted);
      const looped = await done<RunView>('workflow_continue', { token: noted.token, output: 'Read it' });
      expect(looped.step).toMatchObject({
        id: 'check',
        iteration: 1,
        prompt: expect.stringContaining('1 of 2'),
      });
      const status = await done<{ history: Args[] }>('workflow_status', { runId });
      expect(status.history.map(({ type }) => type)).toContain('Checkpointed');
      expect(JSON.stringify(status)).not.toContain('Check this part');
      const cancelled = await done<RunView>('workflow_cancel', { runId, reason: 'No time' });
      expect(cancelled.status).toBe('cancelled');
      expect(await done<RunView>('workflow_cancel', { runId, reason: 'No time' })).toEqual(cancelled);
      expect(await refused('workflow_continue', { token: cancelled.token, output: 'x' })).toMatchObject({
        code: 'RUN_FINISHED',
      });
    });
  });

  describe('workflows and their runs', () => {
    beforeAll(open);
    afterAll(close);

    test('are resources, and each workflow is a prompt', async () => {
      const { runId } = await done<RunView>('workflow_start', { workflowId: 'release' });
      const uris = (await client.listResources()).resources.map(({ uri }) => uri);
      expect(uris).toEqual(['workflow://release', 'workflow://review', `workflow-run://${runId}`]);
      const read = async (uri: string): Promise<unknown> => {
        const { contents } = await client.readResource({ uri });
        return JSON.parse(String((contents[0] as { text?: unknown } | undefined)?.text));
      };
      expect(await read('workflow://release')).toEqual(release);
      expect(await read(`workflow-run://${runId}`)).toMatchObject({ runId, step: { id: 'notes' } });
      expect(await client.refusal('resources/read', { uri: 'workflow://missing' })).toMatchObject({
        message: expect.stringContaining('WORKFLOW_NOT_FOUND'),
      });
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).toEqual(['workflow_release', 'workflow_review']);
      const { messages } = await client.getPrompt({ name: 'workflow_release', arguments: { goal: 'Go' } });
      expect(messages[0]?.content).toMatchObject({
        text: expect.stringContaining('Call workflow_start with {"workflowId":"release","goal":"Go"}'),
      });
    });
  });
});
