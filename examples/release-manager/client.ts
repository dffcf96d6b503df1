/**
 * Works through the workflows of the server at the address given as argument; without one it starts the server over
 * stdio:
 *
 *     node --import @oxc-node/core/register release-manager/client.ts [http://127.0.0.1:3000/mcp]
 */
import assert from 'node:assert/strict';
import { check } from '../connect.ts';
import { Agent } from './agent.ts';
import { connectAs, type Era } from './connect.ts';

const address = process.argv[2];

for (const era of ['2025-11-25', '2026-07-28'] as const) await workAs(era);

async function workAs(era: Era): Promise<void> {
  const asked: string[] = [];
  const answers: boolean[] = [];
  const client = await connectAs(era, address, (question) => {
    asked.push(question);
    return answers.shift() ?? false;
  });
  const agent = new Agent(client);

  await check(`${era}: the workflows are listed, with a prompt for each`, async () => {
    const { workflows } = await agent.call<{ workflows: { id: string }[] }>('workflow_list');
    const ids = workflows.map(({ id }) => id);
    assert.deepEqual(ids, ['bug-investigation', 'document-review', 'release-checklist']);
    const { prompts } = await client.listPrompts();
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ids.map((id) => `workflow_${id}`),
    );
  });

  await check(`${era}: a release is published once a person has approved it`, async () => {
    await agent.start('release-checklist', 'Release 2.0.0');
    await agent.submit('it is big', {});
    assert.equal(agent.view.status, 'blocked');
    assert.match(agent.view.issues.join(), /scope is JSON/);
    const changes = [{ kind: 'breaking', text: 'The old options are gone' }];
    const scope = JSON.stringify({ version: '2.0.0', channel: 'stable', changes });
    await agent.submit(scope, { channel: 'stable', hasBreaking: true });
    await agent.submit('812 passed, 0 failed');
    await agent.submit('### Changed\n- The old options are gone, which makes callers simpler.');
    assert.match(agent.view.issues.join(), /Migration/);
    await agent.submit(
      '### Changed\n- The old options are gone.\n\n### Migration\nUse the new ones instead.',
    );

    assert.equal(agent.view.step?.id, 'approve');
    answers.push(false);
    await agent.submit('Version 2.0.0 goes out to everybody; callers of old options break.');
    assert.equal(agent.view.status, 'blocked');
    assert.match(asked.at(-1) ?? '', /callers of old options break/);
    answers.push(true, true);
    await agent.submit('Version 2.0.0 goes out to everybody; there is a guide for callers of old options.');
    await agent.submit('https://example.com/packages/widget/2.0.0');
    assert.equal(asked.length, 3);
    await agent.submit('Widget 2.0.0 has simpler options. Upgrade with its migration guide.');
    assert.equal(agent.view.status, 'completed');
  });

  await check(
    `${era}: a search goes on until the cause is found, and another agent takes it over`,
    async () => {
      await agent.start('bug-investigation', 'Totals are off by one');
      await agent.submit('1 test failed: expected 3, received 2');
      await agent.submit('The list is cut because the end is exclusive');
      await agent.submit('The end is inclusive, so that is not it');
      assert.equal(agent.view.step?.iteration, 2);
      const successor = new Agent(client);
      await successor.resume(agent.view.runId);
      assert.match(successor.view.step?.prompt ?? '', /Iteration: 2/);
      await successor.submit('The first item is skipped because indexes start at 1');
      await successor.submit('Starting at 0 gives the right total', { causeFound: true });
      assert.equal(successor.view.step?.id, 'repair');
      await successor.submit('-for (let i = 1;\n+for (let i = 0;');
      assert.equal(successor.view.status, 'completed');
    },
  );

  await check(`${era}: a review is checked by its schemas`, async () => {
    await agent.start('document-review', 'Review the upgrade guide');
    await agent.submit('For developers who upgrade: what to change in their code.');
    await agent.submit(
      JSON.stringify([{ place: 'line 3', severity: 'huge', text: 'The example does not run' }]),
    );
    assert.match(JSON.stringify(agent.view.details), /SCHEMA_MISMATCH.*\/0\/severity/);
    await agent.submit(
      JSON.stringify([{ place: 'line 3', severity: 'minor', text: 'The example does not run' }]),
    );
    await agent.submit(JSON.stringify({ decision: 'accept', reason: 'It helps anyone who has to upgrade' }));
    assert.equal(agent.view.status, 'completed');
  });

  await client.close();
}
