import { expect, test } from '@jest/globals';
import { EraSwitch, type EraServer } from '../../../src/server/era/era-switch.ts';
import type { WireTransport } from '../../../src/server/era/wire-transport.ts';

const server: EraServer = { notify: () => undefined, close: () => Promise.resolve() };
const list = (id: number): object => ({ jsonrpc: '2.0', id, method: 'tools/list' });

function wireOf(members: Partial<WireTransport> = {}): WireTransport & { readonly sent: unknown[] } {
  const sent: unknown[] = [];
  const wire: WireTransport & { readonly sent: unknown[] } = {
    sent,
    start: () => Promise.resolve(),
    send: async (message) => void sent.push(message),
    close: async () => wire.onclose?.(),
    ...members,
  };
  return wire;
}

test('an era that cannot start answers every request, and starts when it can', async () => {
  const wire = wireOf();
  const failures: unknown[] = [];
  let canOpen = false;
  const eras = new EraSwitch(
    wire,
    {
      legacy: async (channel) => {
        if (!canOpen) throw new Error('no such package');
        channel.onmessage = (message) =>
          void channel.send({ jsonrpc: '2.0', id: (message as { id: number }).id, result: {} });
        return server;
      },
      modern: () => Promise.resolve(server),
    },
    { onError: () => undefined, onFailure: (era, cause) => failures.push([era, String(cause)]) },
  );
  await eras.start();
  const error = { code: -32603, message: 'The server could not be started' };
  wire.onmessage?.(list(1));
  await eras.opened();
  wire.onmessage?.(list(2));
  await eras.opened();
  expect(wire.sent).toEqual([1, 2].map((id) => ({ jsonrpc: '2.0', id, error })));
  expect(failures).toEqual([1, 2].map(() => ['legacy', 'Error: no such package']));
  canOpen = true;
  wire.onmessage?.(list(3));
  await eras.opened();
  expect(wire.sent.at(-1)).toEqual({ jsonrpc: '2.0', id: 3, result: {} });
});

test('has ended when it was closed, though its transport failed to close', async () => {
  const wire = wireOf({ close: () => Promise.reject(new Error('stuck')) });
  const open = () => Promise.resolve(server);
  const eras = new EraSwitch(
    wire,
    { legacy: open, modern: open },
    { onError: () => undefined, onFailure: () => undefined },
  );
  await expect(eras.close()).rejects.toThrow('stuck');
  await eras.closed;
});
