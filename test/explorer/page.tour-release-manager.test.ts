import { beforeEach, describe, expect, test } from '@jest/globals';
import { tour } from '../support/toured.ts';

const toured = tour('release-manager');

interface View {
  readonly status: string;
  readonly token: string;
  readonly issues: readonly string[];
}

describe.each(['2025', '2026'] as const)('in era %s', (era) => {
  beforeEach(() => toured.tab.chooseEra(era));

  async function viewOf(): Promise<View> {
    const { tab } = toured;
    await tab.ended();
    await tab.page.getByTestId('result-structured').click();
    return JSON.parse(await tab.page.getByTestId('json-text').innerText()) as View;
  }

  /** Hands in a step; a person who is asked says yes or no. */
  async function submit(before: View, output: string, context?: object, approves?: boolean): Promise<View> {
    const { tab } = toured;
    await tab.openAction('workflow_continue');
    await tab.typeJson({ token: before.token, output, ...(context && { context }) });
    await tab.startCall();
    if (approves !== undefined) {
      await tab.question.waitFor();
      await tab.field('approve', 'input', tab.question).selectOption({ label: String(approves) });
      await tab.question.getByTestId('accept').click();
    }
    return viewOf();
  }

  test('a run goes on from step to step, and a person approves it', async () => {
    const { tab } = toured;
    await tab.openAction('workflow_start');
    await tab.field('workflowId').first().waitFor();
    await tab.typeJson({ workflowId: 'release-checklist', goal: 'Release "2.0.0"' });
    await tab.startCall();
    let view = await viewOf();
    view = await submit(view, 'it is big');
    expect([view.status, view.issues.join()]).toEqual(['blocked', expect.stringContaining('scope is JSON')]);
    const changes = [{ kind: 'breaking', text: 'The old options are gone' }];
    const scope = JSON.stringify({ version: '2.0.0', channel: 'stable', changes });
    view = await submit(view, scope, { channel: 'stable', hasBreaking: false });
    view = await submit(view, '812 passed, 0 failed');
    view = await submit(view, '### Changed\n- The old options are gone, which makes "callers" simpler.');
    view = await submit(view, 'Version 2.0.0 goes out to everybody; callers break.', undefined, false);
    expect(view.status).toBe('blocked');
    view = await submit(view, 'Version 2.0.0 goes out to everybody; there is a guide.', undefined, true);
    expect(view.status).not.toBe('blocked');
  });

  test('each workflow has a prompt', async () => {
    const { tab } = toured;
    await tab.go('prompt/workflow_bug-investigation');
    expect(await tab.call()).toContain('Bug investigation');
  });
});
