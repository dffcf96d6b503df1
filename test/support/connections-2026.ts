import { afterEach } from '@jest/globals';
import { InMemoryTransport, type Client } from '@modelcontextprotocol/client';
import { serveTransport } from '../../src/transports/serve-transport.ts';
import type { Serving } from '../../src/transports/serving.ts';
import { fullService } from './fake-service.ts';
import { echo, fakeApplication, type FakeTool } from './fake-application.ts';
import { connectInMemory, client2026 } from './client-of-2026.ts';

const servings: Serving[] = [];
afterEach(async () => {
  for (const serving of servings.splice(0)) await serving.close();
});

/** Serves until the test has ended. */
export async function serveOn(
  transport: object,
  fakeTools: Readonly<Record<string, FakeTool>> = { echo },
): Promise<Serving> {
  const application = { ...fakeApplication({}), service: fullService({ fakeTools }) };
  const serving = await serveTransport(application, transport);
  servings.push(serving);
  return serving;
}

export async function connectionOf2026(
  tools?: Readonly<Record<string, FakeTool>>,
): Promise<{ readonly client: Client; readonly serving: Serving }> {
  let serving: Serving | undefined;
  const client = await connectInMemory(client2026(), async (far) => {
    serving = await serveOn(far, tools);
  });
  return { client, serving: serving! };
}

/** A connection by hand; its answers come in the order in which they are sent. */
export async function rawConnection(tools?: Readonly<Record<string, FakeTool>>) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const serving = await serveOn(far, tools);
  const received: unknown[] = [];
  let wake: () => void = () => undefined;
  near.onmessage = (message) => {
    received.push(message);
    wake();
  };
  await near.start();
  return {
    serving,
    received,
    send: (message: object) => near.send(message as never),
    next: async () => {
      while (received.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return received.shift();
    },
    close: () => near.close(),
  };
}

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '0' } },
};
