import { expect, test } from '@jest/globals';
import { EraSwitch, type EraServer } from '../../../src/server/era/era-switch.ts';
import type { WireTransport } from '../../../src/server/era/wire-transport.ts';

const server: EraServer = {
  take: () => undefined,
  notify: () => undefined,
  close: () => Promise.resolve(),
  end: () => undefined,
};
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

test('a server that breaks on a message answers it all the same', async () => {
  const wire = wireOf();
  const errors: string[] = [];
  const broken: EraServer = {
    ...server,
    take: () => {
      throw new Error('broken');
    },
  };
  const eras = new EraSwitch(wire, { legacy: () => broken, modern: () => server }, ({ message }) => {
    errors.push(message);
  });
  await eras.start();
  wire.onmessage?.(list(1));
  const error = { code: -32603, message: 'The request could not be read' };
  expect(wire.sent).toEqual([{ jsonrpc: '2.0', id: 1, error }]);
  expect(errors).toEqual(['broken']);
});

test('has ended when it was closed, though its transport failed to close', async () => {
  const wire = wireOf({ close: () => Promise.reject(new Error('stuck')) });
  const open = () => server;
  const eras = new EraSwitch(wire, { legacy: open, modern: open }, () => undefined);
  await expect(eras.close()).rejects.toThrow('stuck');
  await eras.closed;
});
