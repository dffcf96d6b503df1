import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { answeredId } from '../json-rpc/check-messages.ts';
import { writeMessage } from '../json-rpc/write-message.ts';

export interface SendGuard {
  /** Whether a notification may still be sent; they are all that a client can do without. */
  readonly hasRoom: () => boolean;
  readonly report: (error: Error) => void;
  /** Told of the answer. */
  readonly onAnswer: () => void;
}

/** Has a transport of the SDK answer where JSON cannot carry the result, because its own answer is none at all. */
export function guardSend(transport: Transport, { hasRoom, report, onAnswer }: SendGuard): void {
  const send: Transport['send'] = transport.send.bind(transport);
  transport.send = async (given, options) => {
    if ('method' in given && !hasRoom()) return;
    if (answeredId(given) !== undefined) onAnswer();
    const { message } = writeMessage<JSONRPCMessage>(given, report);
    await send(message, options);
  };
}
