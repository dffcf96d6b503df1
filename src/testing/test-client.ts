import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  type CreateMessageRequest,
  type CreateMessageResult,
  type CreateMessageResultWithTools,
  type ElicitRequest,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { refuseOptions } from '../errors/option-errors.ts';
import type { AuthInfo, Root } from '../index.ts';
import { aFunction, type OptionRules, authRule, headersRule, rootsRule } from '../shared/option-rules.ts';

/**
 * Who a test client is, and what it can be asked for; it declares the capabilities of what is given here, and no
 * others.
 */
export interface TestClientOptions {
  /** Who every request is from, as an `authenticate` of `listen` would have found out. */
  readonly authInfo?: AuthInfo;
  /** The headers that handlers and middleware read; those of the protocol are not among them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers forms and URLs. */
  readonly onElicitation?: (question: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>;
  readonly onSampling?: (request: CreateMessageRequest['params']) => SamplingAnswer | Promise<SamplingAnswer>;
  readonly roots?: readonly Root[];
}

/** What the client's model says. */
export type SamplingAnswer = CreateMessageResult | CreateMessageResultWithTools;

export const TEST_CLIENT_RULES: OptionRules<TestClientOptions> = {
  authInfo: authRule,
  headers: headersRule,
  onElicitation: aFunction,
  onSampling: aFunction,
  roots: rootsRule,
};

/** The official client, with capabilities and handlers for what it can be asked for. */
export function createTestClient(options: TestClientOptions): Client {
  refuseOptions('TW_TESTING_OPTION', 'connect()', options, TEST_CLIENT_RULES);
  const { onElicitation, onSampling, roots } = options;
  const capabilities = {
    ...(onElicitation === undefined ? {} : { elicitation: { form: {}, url: {} } }),
    ...(onSampling === undefined ? {} : { sampling: { tools: {} } }),
    ...(roots === undefined ? {} : { roots: {} }),
  };
  const client = new Client({ name: 'toolwright-test-client', version: '1.0.0' }, { capabilities });
  if (onElicitation !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => onElicitation(params));
  }
  if (onSampling !== undefined) {
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => onSampling(params));
  }
  if (roots !== undefined) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((root) => ({ ...root })) }));
  }
  return client;
}

/** The server's half of a pair, over which every message says who sent it. */
export function signedTransport(
  inner: Transport,
  { authInfo, headers = {} }: Pick<TestClientOptions, 'authInfo' | 'headers'>,
): Transport {
  const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const extra = {
    ...(authInfo === undefined ? {} : { authInfo: authInfo as never }),
    ...(names.length === 0 ? {} : { requestInfo: { headers: Object.fromEntries(names) } }),
  };
  const signed: Transport = {
    start: () => {
      inner.onmessage = (message) => signed.onmessage?.(message, extra);
      inner.onclose = () => signed.onclose?.();
      inner.onerror = (error) => signed.onerror?.(error);
      return inner.start();
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
  };
  return signed;
}
