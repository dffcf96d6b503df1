import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, connect, type AddressInfo } from 'node:net';
import { within } from '../../src/shared/platform.ts';
import { withinTime } from '../../src/transports/serving.ts';

/** Milliseconds. */
const TIME = 20;

/** Does nothing else for longer than the time-out. */
function block(): void {
  const end = performance.now() + 2 * TIME;
  while (performance.now() < end);
}

/** An answer that is there, but not read: it came while this process was busy. */
async function unread(): Promise<{ readonly answer: Promise<unknown>; end(): void }> {
  const server = createServer((socket) => socket.write('answer'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const sending = once(server, 'connection');
  await Promise.all([once(socket, 'connect'), sending]);
  const answer = new Promise((resolve) => socket.once('readable', () => resolve(String(socket.read()))));
  return {
    answer,
    end: () => {
      socket.destroy();
      server.close();
    },
  };
}

test('an answer that came while the process was busy is not late', async () => {
  const { answer, end } = await unread();
  const given = within(answer, TIME);
  block();
  expect(await given).toBe('answer');
  end();
});

test('what was done while the process was busy is done in time', async () => {
  const { answer, end } = await unread();
  const isDone = withinTime(answer, TIME);
  block();
  expect(await isDone).toBe(true);
  end();
});

test('an answer that does not come is late', async () => {
  await expect(within(new Promise(() => undefined), 1)).rejects.toThrow('No answer within 1 ms');
  expect(await withinTime(new Promise(() => undefined), 1)).toBe(false);
});
