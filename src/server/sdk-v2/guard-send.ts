import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { writeMessage } from '../json-rpc/write-message.ts';

export interface SendGuard {
  /** Whether a notification may still be sent; they are all that a client can do without. */
  readonly hasRoom: () => boolean;
  readonly report: (error: Error) => void;
}

/** Has a transport of the SDK answer where JSON cannot carry the result, because its own answer is none at all. */
export function guardSend(transport: Transport, { hasRoom, report }: SendGuard): void {
  const send: Transport['send'] = transport.send.bind(transport);
  transport.send = async (given, options) => {
    if ('method' in given && !hasRoom()) return;
    const { message } = writeMessage<JSONRPCMessage>(given, report);
    await send(message, options);
  };
}
