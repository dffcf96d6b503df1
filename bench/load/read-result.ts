import { isDeepStrictEqual } from 'node:util';
import { EXPECTED } from '../order/sample-order.ts';

interface Message {
  readonly id?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
}

/** The result in an answer, which is a message of JSON-RPC or a stream of events with one. @throws Error without one */
export function readResult(body: string): Readonly<Record<string, unknown>> {
  const events = body.split(/\r?\n/).filter((line) => line.startsWith('data:') && line.length > 6);
  const texts = events.length === 0 ? [body] : events.map((line) => line.slice('data:'.length));
  const messages = texts.map((text) => JSON.parse(text) as Message);
  const { result } = messages.find(({ id }) => id !== undefined) ?? {};
  if (result === undefined) throw new Error(`It answers ${body.slice(0, 300)}`);
  return result;
}

/** @throws Error unless the result of a tool call is the price of the sample order. */
export function verifyPrice(result: Readonly<Record<string, unknown>>): void {
  const [block] = (result['content'] ?? []) as readonly { readonly text?: string }[];
  const text = block?.text ?? '';
  if (!text.startsWith('{') || !isDeepStrictEqual(JSON.parse(text), EXPECTED)) {
    throw new Error(`It answers ${JSON.stringify(result).slice(0, 300)}`);
  }
}
