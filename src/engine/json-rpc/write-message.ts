import { answeredId } from './check-messages.ts';
import { jsonRpcCodes } from './json-rpc-error.ts';

/** A message that JSON can carry, and its JSON. */
export interface WrittenMessage<Message> {
  readonly message: Message;
  readonly text: string;
}

/**
 * An answer that JSON cannot carry becomes an error, because its request must not stay without an answer.
 * @throws what JSON says of any other message that it cannot carry
 */
export function writeMessage<Message>(
  message: Message,
  report: (error: Error) => void,
): WrittenMessage<Message | ErrorAnswer> {
  try {
    return { message, text: JSON.stringify(message) };
  } catch (error) {
    report(error as Error);
    const id = answeredId(message);
    if (id === undefined) throw error;
    const failure = errorAnswer(id);
    return { message: failure, text: JSON.stringify(failure) };
  }
}

export interface ErrorAnswer {
  jsonrpc: '2.0';
  id: string | number;
  error: { code: number; message: string };
}

function errorAnswer(id: string | number): ErrorAnswer {
  const message = 'The answer could not be written as JSON';
  return { jsonrpc: '2.0', id, error: { code: jsonRpcCodes.internalError, message } };
}
