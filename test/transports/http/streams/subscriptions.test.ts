import { expect, test } from '@jest/globals';
import type { Endpoint } from '../../../../src/transports/http/http-exchange.ts';
import { Backlog } from '../../../../src/transports/http/streams/backpressure-counter.ts';
import { Subscriptions } from '../../../../src/transports/http/streams/subscriptions.ts';
import { createFetchHandler } from '../../../../src/transports/fetch/create-fetch-handler.ts';
import { fullService } from '../../../support/fake-service.ts';
import { fakeApplication } from '../../../support/fake-application.ts';
import { headers2026, message2026 } from '../../../support/client-of-2026.ts';
import { JSON_HEADERS } from '../../../support/raw-http.ts';

const COUNT = 250;

test('many subscriptions are notified in their order, and others have a turn in the meantime', async () => {
  const handler = createFetchHandler({ ...fakeApplication({}), service: fullService() }, { keepAlive: 0 });
  const listen = (): Promise<Response> =>
    handler.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { ...JSON_HEADERS, ...headers2026('subscriptions/listen') },
        body: JSON.stringify(
          message2026('subscriptions/listen', {
            notifications: { promptsListChanged: true, toolsListChanged: true },
          }),
        ),
      }),
    );
  const told: string[] = [];
  const bodies = await Promise.all(Array.from({ length: COUNT }, async () => (await listen()).body));
  const readings = bodies.map(async (body) => {
    const methods: string[] = [];
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      const found = [
        ...Buffer.from(chunk)
          .toString()
          .matchAll(/"notifications\/(tools|prompts)\//g),
      ];
      for (const [, kind = ''] of found) {
        methods.push(kind);
        told.push(kind);
      }
    }
    return methods;
  });
  handler.notify({ kind: 'tools' });
  handler.notify({ kind: 'prompts' });
  await new Promise(setImmediate);
  expect(told.length).toBeGreaterThan(0);
  expect(told.length).toBeLessThan(COUNT);
  while (told.length < 2 * COUNT) await new Promise((resolve) => setTimeout(resolve, 5));
  await handler.close();
  for (const methods of await Promise.all(readings)) expect(methods).toEqual(['tools', 'prompts']);
});

test('of a subscription whose owner cannot be named nothing is kept', () => {
  const sessionOwner = (): never => {
    throw new Error('no owner');
  };
  const context = {
    application: { ...fakeApplication({}), service: fullService() },
    settings: { sessionOwner, maxSubscriptions: 1, keepAlive: 0 },
    backlog: new Backlog(100, () => undefined),
    report: () => undefined,
  } as unknown as Endpoint;
  const subscriptions = new Subscriptions(context);
  let isOpened = false;
  const request = { id: 1, end: { result: {} }, open: () => void (isOpened = true) } as never;
  expect(() => {
    subscriptions.listen(request, { authInfo: { token: 't', clientId: 'c', scopes: [] } } as never);
  }).toThrow('no owner');
  expect(isOpened).toBe(false);
});
