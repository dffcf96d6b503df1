import { afterEach } from '@jest/globals';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpApplication, Module, type CallToolResult, type LogRecord } from 'toolwright';
import { ProblemList } from '../../src/errors/problem-list.ts';
import { curate, type Curated, type CurationOptions } from '../../src/operations/curation.ts';
import { createControllers } from '../../src/operations/operation-controllers.ts';
import type { HttpAnswer, HttpRequest, Operation } from '../../src/operations/operation.ts';
import { connectedClient } from '../support/attached-client.ts';

/** An operation as an API describes it, with the hints of its method. */
export function describeOperation(key: string, facts: Partial<Operation> = {}): Operation {
  const [method = '', path = ''] = key.split(' ');
  const readOnly = method === 'GET';
  return {
    key,
    origin: `TasksController.${facts.name ?? 'find'}`,
    method,
    path,
    group: 'tasks',
    name: 'find',
    tags: [],
    inputs: [],
    headers: {},
    hints: { readOnly, destructive: method === 'DELETE', idempotent: readOnly },
    metadata: () => undefined,
    ...facts,
  };
}

export interface Selection extends Curated {
  /** The codes of the problems, with what each says. */
  readonly problems: readonly string[];
}

export function select(
  operations: readonly Operation[],
  options: CurationOptions = {},
  prefix = '',
): Selection {
  const list = new ProblemList();
  const curated = curate(operations, options, prefix, list);
  return { ...curated, problems: list.problems.map(({ code, what }) => `${code} ${what}`) };
}

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

export interface OfferedApi {
  readonly client: Client;
  readonly requests: readonly HttpRequest[];
  /** What the actions have logged. */
  readonly logged: readonly LogRecord[];
  readonly call: (args: object) => Promise<CallToolResult>;
}

/** A client of an application whose actions are the operations of an API; each request gets the answer. */
export async function offer(
  operations: readonly Operation[],
  options: CurationOptions,
  answer: HttpAnswer = jsonAnswer({}),
): Promise<OfferedApi> {
  const { offered } = select(operations, options);
  const requests: HttpRequest[] = [];
  const logged: LogRecord[] = [];
  const controllers = createControllers(offered, {
    carrier: async (request) => {
      requests.push(request);
      return Promise.resolve(answer);
    },
    identity: () => ({}),
    openWorld: false,
    idempotencyHeader: options.idempotency?.toLowerCase(),
    maxAnswerBytes: 1_000_000,
    log: (record) => logged.push(record),
  });
  class ApiModule {}
  Module({ controllers: [...controllers] })(ApiModule);
  const application = await McpApplication.create(ApiModule, { logger: () => undefined });
  ends.push(() => application.close());
  const server = new McpServer({ name: 'attached', version: '1.0.0' });
  application.attach(server);
  const client = await connectedClient(server);
  ends.push(() => client.close());
  const call = async (args: object): Promise<CallToolResult> =>
    (await client.callTool({ name: offered[0]?.group ?? '', arguments: { ...args } })) as CallToolResult;
  return { client, requests, logged, call };
}

export function jsonAnswer(value: unknown, status = 200): HttpAnswer {
  return answerOfType('application/json', JSON.stringify(value), status);
}

export function answerOfType(type: string, body: string, status = 200): HttpAnswer {
  return { status, headers: { 'content-type': type }, body: Buffer.from(body) };
}
