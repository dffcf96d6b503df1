import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { countCalls, InFlight } from '../in-flight.ts';
import type { ServerSurface } from '../server-surface.ts';
import type { Serving } from '../serving.ts';
import { connectTransport } from './connect-transport.ts';

/** Serves one client over a transport that the caller made. */
export async function serveTransport(surface: ServerSurface, transport: object): Promise<Serving> {
  if (!isTransport(transport)) throw notATransport();
  const calls = new InFlight();
  let isStopping = false;
  const counted = countCalls(surface.tools, calls, () => isStopping);
  const { server, tools } = await connectTransport({ ...surface, tools: counted }, transport);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  return {
    closed,
    stop: () => {
      isStopping = true;
      return calls.whenIdle();
    },
    close: () => server.close(),
    notifyToolsChanged: tools.notifyToolsChanged,
  };
}

function isTransport(value: object): value is Transport {
  return ['start', 'send', 'close'].every((member) => typeof (value as never)[member] === 'function');
}

function notATransport(): ToolwrightError {
  return new ToolwrightError('TW_SERVER_TRANSPORT', {
    where: 'connect()',
    what: 'got something that is no transport.',
    why: 'a transport of the SDK has start(), send() and close().',
    fix: 'pass a transport, such as one half of InMemoryTransport.createLinkedPair()',
  });
}
