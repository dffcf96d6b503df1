import { expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Server } from '@modelcontextprotocol/server';
import { Attachments } from '../../src/attach/attachments.ts';
import { attachService } from '../../src/attach/attach-service.ts';
import { fullService } from '../support/fake-service.ts';
import { connectInMemory, client2025 } from '../support/client-of-2026.ts';
import { hearingChanges } from '../support/hearing-2026.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

// oxlint-disable-next-line typescript/no-deprecated -- users attach to the low-level server, too
const serverOf = (): Server => new Server({ name: 'owner', version: '1' }, {});

async function survivorsOf(references: readonly WeakRef<object>[]): Promise<number> {
  // A reference that was made or read in a turn keeps its object until the turn has ended.
  for (let turn = 0; turn < 3; turn += 1) {
    await nextTurn();
    collectGarbage();
  }
  return references.filter((reference) => reference.deref() !== undefined).length;
}

test('a server that is no longer used is not kept', async () => {
  const attachments = new Attachments();
  const references = Array.from({ length: 100 }, () => {
    const server = serverOf();
    attachments.add(attachService(server, fullService()));
    return new WeakRef<object>(server);
  });
  expect(await survivorsOf(references)).toBeLessThan(5);
});

test('a server that is connected is notified of changes until it is detached', async () => {
  const attachments = new Attachments();
  const client = await connectInMemory(client2025(), async (transport) => {
    const server = serverOf();
    attachments.add(attachService(server, fullService()));
    await server.connect(transport as never);
  });
  const { heard, count } = hearingChanges(client);
  await survivorsOf([]);
  attachments.notify({ kind: 'prompts' });
  await count(1);
  attachments.detachAll();
  await count(4);
  expect(heard[0]).toBe('prompts/list_changed');
  expect([...heard.slice(1)].sort()).toEqual([
    'prompts/list_changed',
    'resources/list_changed',
    'tools/list_changed',
  ]);
  attachments.notify({ kind: 'tools' });
  await client.listTools();
  expect(heard).toHaveLength(4);
  await client.close();
});
