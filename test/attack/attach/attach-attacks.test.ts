import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { McpApplication } from 'toolwright';
import { cancelledCalls, detachedMeanwhile, hostileParams, sharedIds } from './attach-attacks.ts';
import { ATTACH_WIRES, type AttachWire } from './attach-wires.ts';
import { createDesk } from './attached-desk.ts';

describe.each(Object.keys(ATTACH_WIRES))('%s', (name) => {
  let [app, wire]: [McpApplication?, AttachWire?] = [];

  beforeEach(async () => {
    app = await createDesk();
    wire = await ATTACH_WIRES[name]?.(app);
  });
  afterEach(async () => {
    await wire?.close();
    await app?.close();
  });
  const opened = (): AttachWire => {
    if (wire === undefined) throw new Error(`There is no ${name}`);
    return wire;
  };

  test('answers hostile params with errors of the protocol', async () => {
    const { sent, wrong } = await hostileParams(opened(), 23);
    expect(sent).toBeGreaterThan(80);
    expect(wrong).toEqual([]);
  });

  test('ends cancelled calls, and answers two calls of one id', async () => {
    expect((await cancelledCalls(opened(), 20)).wrong).toEqual([]);
    expect((await sharedIds(opened(), 6)).wrong).toEqual([]);
  });

  test('answers what runs when it is detached', async () => {
    expect((await detachedMeanwhile(opened(), 10)).wrong).toEqual([]);
  });
});

test('no answer repeats a long URI, whether or not there is a session', async () => {
  const app = await createDesk();
  const uri = `none://${'x'.repeat(5000)}`;
  for (const open of Object.values(ATTACH_WIRES)) {
    const wire = await open(app);
    const methods = ['resources/subscribe', 'resources/read'];
    const before = await Promise.all(methods.map((method) => wire.ask(method, { uri })));
    wire.detach();
    const after = await Promise.all(methods.map((method) => wire.ask(method, { uri })));
    for (const answer of [...before, ...after]) expect(JSON.stringify(answer).length).toBeLessThan(1500);
    await wire.close();
  }
  await app.close();
});
