import { afterEach, describe, expect, test } from '@jest/globals';
import { ConfirmationService, type RunView } from 'toolwright/workflow';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../../fixtures/connections/connected-application.ts';
import { CONNECTIONS } from '../../fixtures/connections/connection-kinds.ts';
import type { FeatureClientOptions } from '../../fixtures/connections/feature-client.ts';
import { MemoryLogger } from '../../fixtures/fake-surface.ts';
import { applicationWith } from './workflows.ts';

const guarded = {
  id: 'guarded',
  name: 'Guarded',
  description: 'Asks a user',
  version: '1.0.0',
  steps: [{ id: 'draft', title: 'Draft', prompt: 'Draft it.', requireConfirmation: true }],
};
const DAY = 86_400_000;
const ASKING = CONNECTIONS.filter(({ canBeAsked, isAttached }) => canBeAsked && !isAttached);

describe.each(ASKING)('$name', (kind) => {
  let app: ConnectedApplication;
  let now = Date.UTC(2026, 0, 1);
  afterEach(() => app.close());

  async function handIn(options: FeatureClientOptions) {
    const module = applicationWith({ sources: [[guarded]], clock: () => now, sweepInterval: 0 });
    app = await createConnectedApplication(kind, module, { logger: new MemoryLogger() });
    const client = await app.connect(options);
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
    const { structuredContent } = await call('workflow_start', { workflowId: 'guarded' });
    const { token, runId } = structuredContent as RunView;
    return { call, runId, answer: await call('workflow_continue', { token, output: 'A draft' }) };
  }

  test('says that nobody confirmed in time, and what to do', async () => {
    const { call, runId, answer } = await handIn({});
    expect(answer.structuredContent).toMatchObject({ status: 'awaiting_confirmation' });
    now += DAY;
    for (const tool of ['workflow_resume', 'workflow_status']) {
      expect((await call(tool, { runId })).structuredContent).toMatchObject({
        status: 'blocked',
        issues: ['No user confirmed the step in time.'],
        details: [{ code: 'CONFIRMATION_EXPIRED' }],
        suggestions: ['submit the step again; the user is asked anew'],
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
    // The user is asked anew, and takes too long again
    expect(again.isError).toBe(true);
  });
});
