import { afterEach, describe, expect, test } from '@jest/globals';
import { RunService, type RunView, type WorkflowDocument, ConfirmationService } from 'toolwright/workflow';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../../support/connections/connected-application.ts';
import { CONNECTIONS } from '../../support/connections/connection-kinds.ts';
import type { FeatureClient, FeatureClientOptions } from '../../support/connections/feature-client.ts';
import { MemoryLogger } from '../../support/fake-application.ts';
import { applicationWith } from './workflows.ts';

type Args = Readonly<Record<string, unknown>>;

const guarded: WorkflowDocument = {
  id: 'guarded',
  name: 'Guarded',
  description: 'Asks, and asks again',
  version: '1.0.0',
  steps: [
    { id: 'draft', title: 'Draft', prompt: 'Draft it.', requireConfirmation: true },
    {
      id: 'all-parts',
      type: 'loop',
      title: 'All parts',
      requireConfirmation: true,
      loop: { type: 'for', count: 1, maxIterations: 1 },
      body: [{ id: 'part', title: 'Part', prompt: 'Write it.' }],
    },
    {
      id: 'publish',
      title: 'Publish',
      prompt: 'Publish it.',
      requireConfirmation: { var: 'channel', equals: 'stable' },
    },
  ],
};

const ASKING = CONNECTIONS.filter(({ canBeAsked, isAttached }) => canBeAsked && !isAttached);

describe.each(ASKING)('$name', (kind) => {
  let app: ConnectedApplication;
  afterEach(() => app.close());

  async function agent(options: FeatureClientOptions, context: Args = {}) {
    const logger = new MemoryLogger();
    app = await createConnectedApplication(kind, applicationWith({ sources: [[guarded]] }), { logger });
    const client: FeatureClient = await app.connect(options);
    const call = async (name: string, args: Args) => client.callTool({ name, arguments: args });
    const view = async (name: string, args: Args): Promise<RunView> => {
      const { isError, structuredContent, content } = await call(name, args);
      expect([isError ?? false, content]).toEqual([false, expect.anything()]);
      return structuredContent as RunView;
    };
    const start = await view('workflow_start', { workflowId: 'guarded', context, goal: 'A guide' });
    return { call, view, start, logger };
  }

  function user(...answers: readonly (boolean | 'cancel' | Error)[]) {
    const left = [...answers];
    const asked: string[] = [];
    const onElicitation = ({ message }: Args): Args => {
      asked.push(String(message));
      const answer = left.shift() ?? new Error('Nobody is there');
      if (answer instanceof Error) throw answer;
      if (answer === 'cancel') return { action: 'cancel' };
      return { action: 'accept', content: { approve: answer, comment: 'Seen\0 by me' } };
    };
    return { asked, onElicitation };
  }

  test('shows the user what is handed in and kept, and asks for the next thing at once', async () => {
    const { asked, onElicitation } = user(true, true);
    const { view, start } = await agent({ onElicitation });
    const next = await view('workflow_continue', {
      token: start.token,
      output: 'x'.repeat(2500),
      context: { channel: 'stable' },
    });
    expect(next).toMatchObject({ status: 'running', step: { id: 'part', iteration: 1 } });
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatch(/Do you approve "Draft".*A guide.*\(500 more characters\).*"channel":"stable"/s);
    expect(asked[1]).toContain('"All parts"');
  });

  test('does not ask again when an answered request is repeated', async () => {
    const { asked, onElicitation } = user(false);
    const { view, start } = await agent({ onElicitation });
    const request = { token: start.token, output: 'A draft' };
    const first = await view('workflow_continue', request);
    expect(first).toMatchObject({ status: 'blocked', details: [{ code: 'CONFIRMATION_REJECTED' }] });
    expect(first.issues.join()).toContain('Seen by me');
    const repeated = await view('workflow_continue', request);
    expect(repeated.status).toBe('awaiting_confirmation');
    expect(await view('workflow_continue', request)).toEqual(repeated);
    expect(asked).toHaveLength(1);
  });

  test('keeps the run in the hands of the agent when the user cannot be asked', async () => {
    // Since 2026-07-28 a client whose user interface fails does not come back with an answer at all.
    const broken = kind.era === '2026' ? 'cancel' : new Error('The window is gone');
    const { asked, onElicitation } = user(broken, 'cancel', true, true);
    const { view, start } = await agent({ onElicitation });
    const waiting = await view('workflow_continue', { token: start.token, output: 'A draft' });
    expect(waiting.status).toBe('awaiting_confirmation');
    const look = { runId: waiting.runId, expectedSeq: waiting.seq };
    expect((await view('workflow_continue', look)).status).toBe('awaiting_confirmation');
    expect(await view('workflow_continue', look)).toMatchObject({ step: { id: 'part' } });
    expect(asked).toHaveLength(4);
    expect(asked[2]).toContain('A draft');
  });

  test('gives the current view to a caller that only looked, when the decision comes from elsewhere in the meantime', async () => {
    const decided: string[] = [];
    let runId = '';
    const onElicitation = async (): Promise<Args> => {
      if (runId === '') return { action: 'cancel' };
      await app.get(ConfirmationService).resolve(runId, { approved: true }, { kind: 'user' });
      decided.push(runId);
      return { action: 'accept', content: { approve: true } };
    };
    const { call, view, start } = await agent({ onElicitation });
    const waiting = await view('workflow_continue', { token: start.token, output: 'A draft' });
    runId = waiting.runId;
    const { isError, content, structuredContent } = await call('workflow_continue', { token: waiting.token });
    expect({ isError: isError ?? false, content, structuredContent }).toMatchObject({
      isError: false,
      structuredContent: { runId },
    });
    expect(decided).toContain(runId);
  });

  test('is not talked out of it by the context that comes with the output', async () => {
    const { asked, onElicitation } = user(true, true, false);
    const { view, start } = await agent({ onElicitation }, { channel: 'stable' });
    const part = await view('workflow_continue', { token: start.token, output: 'A draft' });
    const publish = await view('workflow_continue', { token: part.token, output: 'A part' });
    expect(publish.step).toMatchObject({ id: 'publish', requireConfirmation: true });
    const context = { channel: 'preview' };
    const refused = await view('workflow_continue', { token: publish.token, output: 'Out', context });
    expect(refused).toMatchObject({ status: 'blocked', step: { id: 'publish' } });
    expect(asked).toHaveLength(3);
  });

  test('gives a repeated start its first answer, however far the run is', async () => {
    const { onElicitation } = user(true, true);
    const { view, start } = await agent({ onElicitation });
    const request = { workflowId: 'guarded', idempotencyKey: 'once' };
    const first = await view('workflow_start', request);
    await view('workflow_continue', { token: first.token, output: 'A draft' });
    expect(await view('workflow_start', request)).toEqual(first);
    expect(first.runId).not.toBe(start.runId);
    const caller = { tenant: 'default', principal: 'anybody' };
    expect(await app.get(RunService).search(caller, {})).toHaveLength(2);
  });

  test('takes null for what is left out, as its schemas say', async () => {
    const { view, start } = await agent({});
    const nothing = { goal: null, context: null, idempotencyKey: null };
    await view('workflow_start', { workflowId: 'guarded', ...nothing });
    const look = { token: null, runId: start.runId, expectedSeq: start.seq, output: null, context: null };
    expect(await view('workflow_continue', look)).toEqual(start);
    await view('workflow_resume', { runId: null, query: 'GUARDED', limit: null });
  });
});

const expiring = {
  id: 'guarded',
  name: 'Guarded',
  description: 'Asks a user',
  version: '1.0.0',
  steps: [{ id: 'draft', title: 'Draft', prompt: 'Draft it.', requireConfirmation: true }],
};
const DAY = 86_400_000;

describe.each(ASKING)('$name, when a confirmation expires', (kind) => {
  let app: ConnectedApplication;
  let now = Date.UTC(2026, 0, 1);
  afterEach(() => app.close());

  async function handIn(options: FeatureClientOptions) {
    const module = applicationWith({ sources: [[expiring]], clock: () => now, sweepInterval: 0 });
    app = await createConnectedApplication(kind, module, { logger: new MemoryLogger() });
    const client = await app.connect(options);
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
    const { structuredContent } = await call('workflow_start', { workflowId: 'guarded' });
    const { token, runId } = structuredContent as RunView;
    return { call, runId, answer: await call('workflow_continue', { token, output: 'A draft' }) };
  }

  test('says that the confirmation came too late, and what to do', async () => {
    const { call, runId, answer } = await handIn({});
    expect(answer.structuredContent).toMatchObject({ status: 'awaiting_confirmation' });
    now += DAY;
    for (const tool of ['workflow_resume', 'workflow_status']) {
      expect((await call(tool, { runId })).structuredContent).toMatchObject({
        status: 'blocked',
        issues: ['No user confirmed the step in time.'],
        details: [{ code: 'CONFIRMATION_EXPIRED' }],
        suggestions: ['submit the step again; the user is asked again'],
      });
    }
    expect((await call('workflow_resume', {})).structuredContent).toMatchObject({
      runs: [{ runId, status: 'blocked' }],
    });
    const late = app.get(ConfirmationService).resolve(runId, { approved: true }, { kind: 'user' });
    await expect(late).rejects.toMatchObject({ code: 'CONFIRMATION_EXPIRED' });
  });

  test('refuses the approval of a user who took too long, and can be gone on with', async () => {
    const onElicitation = () => {
      now += DAY;
      return { action: 'accept', content: { approve: true } };
    };
    const { call, answer } = await handIn({ onElicitation });
    const [{ text }] = answer.content as [{ text: string }];
    expect([answer.isError, text]).toEqual([
      true,
      expect.stringMatching(/^CONFIRMATION_EXPIRED: .*until 2026-/),
    ]);
    const record = answer._meta?.['toolwright/error'] as { details: { view: RunView } };
    const { view } = record.details;
    expect(view).toMatchObject({ status: 'blocked', details: [{ code: 'CONFIRMATION_EXPIRED' }] });
    const again = await call('workflow_continue', { token: view.token, output: 'The same draft' });
    // The user is asked again, and takes too long again
    expect(again.isError).toBe(true);
  });
});
