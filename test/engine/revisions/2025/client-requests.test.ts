import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ClientRequests, instanceOf } from '../../../../src/engine/revisions/2025/client-requests.ts';

interface Sent {
  readonly id: string;
  readonly method: string;
  readonly params: { readonly requestId?: string; readonly _meta?: { readonly progressToken: string } };
}

const QUESTION = { method: 'elicitation/create', params: { message: 'Who?', _meta: { own: 1 } } };

function asking(timeout = 1000) {
  const sent: { readonly message: Sent; readonly related: unknown }[] = [];
  const send = async (message: object, related: unknown): Promise<void> => {
    sent.push({ message: message as Sent, related });
  };
  const requests = new ClientRequests(send, () => `here-${crypto.randomUUID()}`);
  const call = new AbortController();
  const ask = (): Promise<unknown> => requests.ask(QUESTION, { signal: call.signal, timeout }, 7);
  return { requests, sent, call, ask, send };
}

function progress(progressToken: unknown): object {
  return { method: 'notifications/progress', params: { progressToken } };
}

describe('a request to the client', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('goes along with the request that it belongs to, and gets the result of its reply', async () => {
    const { requests, sent, ask } = asking();
    const answer = ask();
    const [first] = sent;
    expect(first).toMatchObject({
      related: 7,
      message: {
        jsonrpc: '2.0',
        method: 'elicitation/create',
        params: { message: 'Who?', _meta: { own: 1 } },
      },
    });
    expect(requests.receive({ id: first?.message.id, result: { action: 'accept' } })).toBe(true);
    expect(await answer).toEqual({ action: 'accept' });
    expect(requests.receive({ id: first?.message.id, result: {} })).toBe(false);
  });

  test('has an id that names this instance, and that no other request has', () => {
    const [one, other] = [asking(), asking()];
    one.ask().catch(() => undefined);
    other.ask().catch(() => undefined);
    const ids = [...one.sent, ...other.sent].map(({ message }) => message.id);
    expect(ids.map(instanceOf)).toEqual(['here', 'here']);
    expect(new Set(ids).size).toBe(2);
  });

  test('is not answered by the client of another connection', async () => {
    const [one, other] = [asking(), asking()];
    const answer = one.ask();
    const id = one.sent[0]?.message.id;
    expect(other.requests.receive({ id, result: 'forged' })).toBe(false);
    one.requests.receive({ id, result: 'true' });
    expect(await answer).toBe('true');
  });

  test.each(['here', 'a-b', '-', '0b9c1e1e-0000-4000-8000-000000000000'])(
    'has the instance %s that asked in its id',
    (name) => {
      expect(instanceOf(`${name}-${crypto.randomUUID()}`)).toBe(name);
    },
  );

  test('is not from this server under any other id', () => {
    for (const id of ['here-1', 'here', '', crypto.randomUUID(), 7, null, undefined, {}]) {
      expect(instanceOf(id)).toBeUndefined();
    }
  });

  test('fails with the error of its reply', async () => {
    const { requests, sent, ask } = asking();
    const answer = ask();
    requests.receive({ id: sent[0]?.message.id, error: { code: -32601, message: 'not here', data: 1 } });
    await expect(answer).rejects.toMatchObject({ message: 'not here', code: -32601, data: 1 });
  });

  test('times out and says so, but not while the client reports progress', async () => {
    const { requests, sent, ask } = asking(1000);
    const answer = ask();
    const outcome = expect(answer).rejects.toThrow('Request timed out');
    const token = sent[0]?.message.params._meta?.progressToken;
    for (let count = 0; count < 3; count += 1) {
      jest.advanceTimersByTime(900);
      expect(requests.receive(progress(token))).toBe(true);
    }
    jest.advanceTimersByTime(1000);
    await outcome;
    expect(sent.at(-1)).toMatchObject({
      related: 7,
      message: { method: 'notifications/cancelled', params: { requestId: sent[0]?.message.id } },
    });
    expect(requests.receive(progress(token))).toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('takes no reply under an id of another type or of the language, and none that is late', async () => {
    const { requests, sent, ask } = asking(1000);
    const outcome = expect(ask()).rejects.toThrow('Request timed out');
    const id = sent[0]?.message.id ?? '';
    for (const other of [Number(id.split('-').at(-1)), `${id} `, '__proto__', null, undefined]) {
      expect(requests.receive({ id: other, result: 'wrong' })).toBe(false);
      expect(requests.receive(progress(other))).toBe(false);
    }
    jest.advanceTimersByTime(1000);
    await outcome;
    expect(requests.receive({ id, result: 'late' })).toBe(false);
    expect(requests.receive({ id, error: { code: 1, message: 'late' } })).toBe(false);
  });

  test('is cancelled with its call, and never sent for a call that is cancelled already', async () => {
    const { sent, call, ask } = asking();
    const answer = ask();
    call.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
    expect(sent.map(({ message }) => message.method)).toEqual([
      'elicitation/create',
      'notifications/cancelled',
    ]);
    expect(sent[1]?.message.params).toMatchObject({ reason: 'enough' });
    await expect(ask()).rejects.toThrow('enough');
    expect(sent).toHaveLength(2);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('fails when it cannot be sent, and when the connection ends', async () => {
    const refused = new ClientRequests(
      () => Promise.reject(new Error('no stream')),
      () => 'here',
    );
    const options = { signal: new AbortController().signal, timeout: 1000 };
    await expect(refused.ask(QUESTION, options, 7)).rejects.toThrow('no stream');
    const { requests, ask } = asking();
    const answer = ask();
    requests.end();
    await expect(answer).rejects.toThrow('Connection closed');
    expect(jest.getTimerCount()).toBe(0);
  });

  test('is asked again under another id a limited number of times, and any of its ids may be answered', async () => {
    const { requests, sent, ask } = asking();
    const answer = ask();
    requests.askAgain([8], new Set());
    expect(sent).toHaveLength(1);
    for (let turn = 0; turn < 20; turn += 1) requests.askAgain([7], new Set());
    const questions = sent.filter(({ message }) => message.method === 'elicitation/create');
    const cancelled = sent.filter(({ message }) => message.method === 'notifications/cancelled');
    const ids = questions.map(({ message }) => message.id);
    expect(requests.openIds).toEqual(ids);
    expect([new Set(ids).size, questions.length]).toEqual([10, 10]);
    expect(cancelled.map(({ message }) => message.params.requestId)).toEqual(ids.slice(0, -1));
    requests.receive({ id: ids[3], result: 'one of them' });
    expect(await answer).toBe('one of them');
    for (const id of ids) expect(requests.receive({ id, result: 'another' })).toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('is not asked again where the client is sent it again anyway', () => {
    const { requests, sent, ask } = asking();
    ask().catch(() => undefined);
    requests.askAgain([7], new Set([sent[0]?.message.id]));
    expect(sent).toHaveLength(1);
    requests.end();
  });
});
