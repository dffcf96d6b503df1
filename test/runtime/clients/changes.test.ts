import { expect, test } from '@jest/globals';
import { Cancellation } from '../../../src/call/call-context.ts';
import { Changes } from '../../../src/runtime/clients/changes.ts';
import type { StandingOutcome } from '../../../src/kernel/call/outcome.ts';
import { clientOf2026, NO_CLIENT } from '../../../src/runtime/clients/served-clients.ts';
import type { ServedClient } from '../../../src/kernel/call/service-request.ts';
import { fullService } from '../../support/fake-service.ts';
import { eventually } from '../../support/eventually.ts';
import { MemoryLogger } from '../../support/fake-application.ts';
import { fakeRequest } from '../../support/primitives.ts';

const service = fullService();
const logger = new MemoryLogger();

async function listen(notifications: unknown, client: ServedClient) {
  const [params, cancellation] = [{ notifications }, new Cancellation()];
  return service.serve({
    method: 'subscriptions/listen',
    params,
    context: fakeRequest(),
    cancellation,
    served: client,
  });
}

async function opened(notifications: unknown, changes: Changes) {
  const outcome = (await listen(notifications, clientOf2026(changes))) as StandingOutcome;
  const told: (readonly [string, object])[] = [];
  const close = outcome.open({ notify: (method, params) => void told.push([method, params]) });
  return { told, close };
}

test('a client first gets the list of what it subscribed to, then its changes, until it is closed', async () => {
  const changes = new Changes(service, logger);
  const wanted = { toolsListChanged: true, promptsListChanged: false, resourceSubscriptions: ['memo:one'] };
  const { told, close } = await opened(wanted, changes);
  const granted = { notifications: { toolsListChanged: true, resourceSubscriptions: ['memo:one'] } };
  expect(told.splice(0)).toEqual([['notifications/subscriptions/acknowledged', granted]]);
  changes.tell({ kind: 'tools' });
  changes.tell({ kind: 'prompts' });
  changes.tell({ kind: 'resource', uri: 'memo:one' });
  changes.tell({ kind: 'resource', uri: 'memo:two' });
  await Promise.resolve();
  expect(told).toEqual([
    ['notifications/tools/list_changed', {}],
    ['notifications/resources/updated', { uri: 'memo:one' }],
  ]);
  close?.();
  changes.tell({ kind: 'tools' });
  expect(told).toHaveLength(2);
});

test('nothing opens before it is opened, and what wants nothing ends at once', async () => {
  const changes = new Changes(service, logger);
  await listen({ toolsListChanged: true }, clientOf2026(changes));
  changes.tell({ kind: 'tools' });
  const { told, close } = await opened({}, changes);
  expect(close).toBeUndefined();
  expect(told).toHaveLength(1);
});

test('a resource that is not there any more is not spoken of', async () => {
  const changes = new Changes(
    { ...service, resources: { ...service.resources, knows: () => false } as never },
    logger,
  );
  const { told } = await opened({ resourceSubscriptions: ['memo:one'] }, changes);
  changes.tell({ kind: 'resource', uri: 'memo:one' });
  expect(told).toHaveLength(1);
});

test.each<[string, unknown, string]>([
  ['no filter', undefined, 'notifications must be an object'],
  ['a wrong flag', { toolsListChanged: 'yes' }, 'notifications.toolsListChanged must be true or false'],
  ['a wrong list', { resourceSubscriptions: [7] }, 'must be a list of URIs'],
  ['too many URIs', { resourceSubscriptions: Array<string>(1001).fill('memo:one') }, 'at most 1000'],
  ['a long URI', { resourceSubscriptions: ['m'.repeat(8193)] }, 'longer than 8192'],
  ['too much', { resourceSubscriptions: Array<string>(9).fill('m'.repeat(8192)) }, 'bytes; at most'],
])('%s is refused', async (_name, notifications, message) => {
  const outcome = await listen(notifications, clientOf2026(new Changes(service, logger)));
  expect(outcome).toMatchObject({
    kind: 'failure',
    error: { code: -32602, message: expect.stringContaining(message) },
  });
});

test.each([1, Infinity])(
  'a listener that throws keeps no change from the others (%s at once)',
  async (atOnce) => {
    const log = new MemoryLogger();
    const changes = new Changes(service, log, atOnce);
    const told: string[] = [];
    const cause = new Error('broken');
    changes.listen(() => {
      throw cause;
    });
    changes.listen(({ kind }) => told.push(kind) > 0);
    changes.tell({ kind: 'tools' });
    changes.tell({ kind: 'prompts' });
    await eventually(() => told.length >= 2);
    // The last turn of them is over, so that it begins again
    await new Promise((resolve) => setTimeout(resolve, 10));
    changes.tell({ kind: 'resources' });
    await eventually(() => told.length >= 3);
    expect(told).toEqual(['tools', 'prompts', 'resources']);
    const failure = expect.objectContaining({ level: 'error', event: 'change.failed', cause });
    expect(log.records).toEqual([failure, failure, failure]);
  },
);

test('where no request stays open, there is no such method', async () => {
  const outcome = await listen({ toolsListChanged: true }, NO_CLIENT);
  expect(outcome).toMatchObject({ kind: 'failure', error: { code: -32601, message: 'Method not found' } });
});
