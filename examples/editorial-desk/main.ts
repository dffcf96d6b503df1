/** Runs of a workflow in a program of its own: no server, no MCP. The file of the runs outlives the program. */
import { strict as assert } from 'node:assert';
import {
  ConfirmationService,
  loadWorkflow,
  RunService,
  SqliteRunStore,
  ValidationEngine,
  WorkflowError,
} from 'toolwright/workflow';

const file = process.env['EDITORIAL_DESK_FILE'] ?? 'editorial-desk.db';
const writer = { tenant: 'paper', principal: 'ada' };

const article = loadWorkflow({
  id: 'article',
  name: 'Article',
  description: 'Brings an article into the paper',
  version: '1.0.0',
  steps: [
    {
      id: 'draft',
      title: 'Draft',
      prompt: 'Write the article, with its sources.',
      validationCriteria: [{ type: 'contains', value: 'Source:', message: 'Name a source' }],
    },
    { id: 'print', title: 'Print', prompt: 'Say what goes to print.', requireConfirmation: true },
  ],
});

/** What a program needs, once: where runs are kept, which workflows there are, and who checks outputs. */
async function openDesk() {
  const store = new SqliteRunStore({ url: `file:${file}` });
  await store.init();
  const getDefinition = async (id: string) => {
    if (id === article.id) return article;
    throw new WorkflowError('WORKFLOW_NOT_FOUND', { where: id, message: `There is no workflow "${id}".` });
  };
  const runs = new RunService({ store, workflows: { getDefinition }, validator: new ValidationEngine() });
  return { store, runs, confirmations: new ConfirmationService(runs) };
}

const morning = await openDesk();
const started = await morning.runs.start(writer, { workflowId: 'article', goal: 'The new bridge' });
console.log(`ok   starts with: ${started.step?.prompt}`);

const blocked = await morning.runs.continue(writer, { token: started.token, output: 'It is long.' });
assert.deepEqual([blocked.status, blocked.issues], ['blocked', ['Name a source']]);
console.log(`ok   checks the draft: ${blocked.issues.join()}`);

const drafted = await morning.runs.continue(writer, {
  token: blocked.token,
  output: 'It is long. Source: the town',
});
assert.equal(drafted.step?.id, 'print');
await morning.store.close();

const evening = await openDesk();
const [found] = await evening.runs.search(writer, { query: 'bridge' });
assert.ok(found);
const { token } = await evening.runs.view(writer, found.runId);
console.log('ok   finds the run again after the store was closed');

const asked = await evening.runs.continue(writer, { token, output: 'Page one' });
assert.equal(asked.status, 'awaiting_confirmation');
const waiting = await evening.confirmations.describe(found.runId);
assert.equal(waiting?.output, 'Page one');
const decision = { approved: true, expectedSeq: waiting.seq };
const done = await evening.confirmations.resolve(found.runId, decision, { kind: 'user', id: 'editor' });
assert.equal(done.status, 'completed');
console.log('ok   goes on when the editor approves, and is complete');
await evening.store.close();
