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
import type { Root } from '../index.ts';

/** What a test client can be asked for; it declares the capabilities of what is given here, and no others. */
export interface TestClientOptions {
  /** Answers forms and URLs. */
  readonly onElicitation?: (question: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>;
  readonly onSampling?: (request: CreateMessageRequest['params']) => SamplingAnswer | Promise<SamplingAnswer>;
  readonly roots?: readonly Root[];
}

/** What the client's model says. */
export type SamplingAnswer = CreateMessageResult | CreateMessageResultWithTools;

/** The official client, with capabilities and handlers for what it can be asked for. */
export function createTestClient({ onElicitation, onSampling, roots }: TestClientOptions): Client {
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
