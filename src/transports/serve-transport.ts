import { ToolwrightError } from '../errors/toolwright-error.ts';
import { openConnection } from '../engine/connection.ts';
import { InFlight } from '../runtime/service.ts';
import type { ServedApplication } from '../engine/served-application.ts';
import type { Serving } from './serving.ts';
import type { WireTransport } from '../engine/wire-transport.ts';

/** Serves the client at the other end of the caller's transport. */
export async function serveTransport(application: ServedApplication, transport: object): Promise<Serving> {
  if (!isTransport(transport)) throw notATransport();
  const calls = new InFlight();
  const connection = await openConnection(
    { ...application, service: application.service.admittedBy(calls) },
    transport,
  );
  return {
    closed: connection.closed,
    stop: () => {
      calls.isStopping = true;
      return calls.whenIdle();
    },
    close: () => connection.close(),
    notify: (change) => {
      connection.notify(change);
    },
  };
}

function isTransport(value: object): value is WireTransport {
  return ['start', 'send', 'close'].every((member) => typeof (value as never)[member] === 'function');
}

function notATransport(): ToolwrightError {
  return new ToolwrightError('TW_SERVER_TRANSPORT', {
    where: 'connect()',
    what: 'got something that is not a transport.',
    why: 'a transport of the SDK has start(), send() and close().',
    fix: 'pass a transport, such as one half of InMemoryTransport.createLinkedPair()',
  });
}
