import { expect, jest, test } from '@jest/globals';
import { Cancellation } from '../../../../src/call/call-context.ts';
import type { HttpExchange } from '../../../../src/transports/http/http-exchange.ts';
import { httpSettings } from '../../../../src/transports/http/http-options.ts';
import { Batch } from '../../../../src/transports/http/sessions/batch.ts';
import { HttpSession } from '../../../../src/transports/http/sessions/http-session.ts';
import { Backlog } from '../../../../src/transports/http/streams/backpressure-counter.ts';
import { fakeApplication, type FakeTool } from '../../../support/fake-application.ts';

const report = (): void => undefined;
const never: FakeTool = () => new Promise(() => undefined);
const exchangeOf = (gone = new Cancellation()): HttpExchange => ({ gone, revision: null }) as HttpExchange;

function jsonSession(tools: Readonly<Record<string, FakeTool>>): HttpSession {
  const settings = httpSettings({ json: true }, undefined);
  return new HttpSession({
    ...{ application: fakeApplication(tools), settings, report },
    backlog: new Backlog(settings.maxUnreadBytes, () => undefined),
  });
}

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'never', arguments: {} } };
const PING = { jsonrpc: '2.0', id: 2, method: 'ping' };

test('collects the answers in the order of the requests', async () => {
  const options = { exchange: exchangeOf(), channel: undefined, canComeBack: false, report };
  const batch = new Batch({ ...options, ids: [1, 'two', 3] });
  batch.finish({ result: { n: 3 } }, 3);
  batch.settle();
  batch.finish({ result: { n: 1 } }, 1);
  const { text } = await batch.toAnswer({}, new Cancellation());
  expect(JSON.parse(text)).toEqual([
    { jsonrpc: '2.0', id: 1, result: { n: 1 } },
    { jsonrpc: '2.0', id: 3, result: { n: 3 } },
  ]);
});

test('is answered by JSON, and leaves no listener behind on its session', async () => {
  const session = jsonSession({});
  const added = jest.spyOn(Cancellation.prototype, 'onCancel');
  const removed = jest.spyOn(Cancellation.prototype, 'offCancel');
  const exchange = exchangeOf();
  const answer = await session.post(exchange, [PING]);
  expect(answer).toMatchObject({ status: 200, text: '[{"result":{},"jsonrpc":"2.0","id":2}]' });
  const left = added.mock.calls.filter(
    ([listener], index) =>
      added.mock.contexts[index] !== exchange.gone &&
      !removed.mock.calls.some(
        ([other], place) => other === listener && removed.mock.contexts[place] === added.mock.contexts[index],
      ),
  );
  expect(left).toEqual([]);
  added.mockRestore();
  removed.mockRestore();
});

test('is given up when its client goes away or its session ends, also before', async () => {
  const gone = new Cancellation();
  const session = jsonSession({ never });
  const refused = { status: 404 };
  const left = session.post(exchangeOf(gone), [CALL]);
  gone.cancel();
  await expect(left).rejects.toMatchObject(refused);
  await expect(session.post(exchangeOf(gone), [{ ...CALL, id: 5 }])).rejects.toMatchObject(refused);
  const ended = session.post(exchangeOf(), [{ ...CALL, id: 6 }]);
  session.close();
  await expect(ended).rejects.toMatchObject(refused);
});
