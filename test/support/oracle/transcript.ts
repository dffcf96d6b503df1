import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { eventually } from '../eventually.ts';

/** A message of a client, without `jsonrpc`. */
export interface Said {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A message of a server. */
export interface Heard {
  readonly id?: string | number | undefined;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const FORM = { action: 'accept', content: { name: 'Ann' } };

/** Says one message after the other, waiting for the answer of each request; gives all that the server said. */
export async function transcript(
  connect: (transport: Transport) => Promise<unknown>,
  messages: readonly Said[],
): Promise<readonly Heard[]> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const heard: Heard[] = [];
  const say = (message: Said): Promise<void> => near.send({ jsonrpc: '2.0', ...message } as never);
  near.onmessage = (given) => {
    const message = given as Heard;
    heard.push(steady(message));
    const { id, method } = message;
    if (method === 'elicitation/create' && id !== undefined) void say({ id, result: FORM });
  };
  await connect(far);
  await near.start();
  for (const message of messages) {
    const before = answersTo(heard, message.id);
    await say(message);
    const isRequest = message.id !== undefined && message.method !== undefined;
    if (isRequest) await eventually(() => answersTo(heard, message.id) > before);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await near.close();
  return heard;
}

function answersTo(heard: readonly Heard[], id: string | number | undefined): number {
  return heard.filter((message) => message.method === undefined && message.id === id).length;
}

/** Without what differs each time: the ids of the server's own requests. */
function steady(message: Heard): Heard {
  const { method, id, params } = message;
  if (method === undefined || id === undefined) return message;
  const { _meta: meta, ...others } = params ?? {};
  const { progressToken: _token, ...kept } = (meta ?? {}) as Record<string, unknown>;
  return { ...message, id: 'its own', params: { ...others, _meta: kept } };
}
