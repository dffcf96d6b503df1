import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { McpApplication } from 'toolwright';
import { initializeMessage } from '../load/http-call.ts';
import { manyTools } from '../servers/toolwright/many-tools.ts';
import { orderSchema } from './order-schema.ts';
import { readArguments, sendResult } from './program.ts';
import { race, type RaceSettings } from './race.ts';
import { asynchronousSide, type Workload } from './time-box.ts';

type Connect = (transport: InMemoryTransport) => Promise<unknown>;

/** A client of bare messages: one of the SDK would parse every tool of the answer, which costs more than the list. */
class MessageClient {
  readonly #transport: InMemoryTransport;
  #id = 0;
  #answered: (message: JSONRPCMessage) => void = () => undefined;

  constructor(transport: InMemoryTransport) {
    this.#transport = transport;
    transport.onmessage = (message) => this.#answered(message);
  }

  request(message: { readonly method: string; readonly params?: object }): Promise<JSONRPCMessage> {
    return new Promise((resolve) => {
      this.#answered = resolve;
      void this.#transport.send({ jsonrpc: '2.0', id: ++this.#id, ...message } as JSONRPCMessage);
    });
  }

  async open(): Promise<void> {
    await this.#transport.start();
    await this.request(initializeMessage);
    await this.#transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }
}

function highLevel(count: number): McpServer {
  const server = new McpServer({ name: 'orders', version: '1.0.0' });
  for (let number = 1; number <= count; number += 1) {
    server.registerTool(`orders_price${number}`, { inputSchema: orderSchema }, () => ({ content: [] }));
  }
  return server;
}

async function listsOf(name: string, count: number, connect: Connect): Promise<Workload> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new MessageClient(ours);
  await connect(theirs);
  await client.open();
  const run = (): Promise<JSONRPCMessage> => client.request({ method: 'tools/list' });
  const listed = (await run()) as { readonly result?: { readonly tools?: readonly unknown[] } };
  if (listed.result?.tools?.length !== count) throw new Error(`${name} does not list ${count} tools`);
  return { name, run, batch: 5 };
}

async function application(count: number): Promise<Workload> {
  const app = await McpApplication.create(manyTools(count), { name: 'orders', version: '1.0.0' });
  return listsOf(`toolwright, ${count} tools`, count, (transport) => app.connect(transport));
}

const workloads = [
  await application(5),
  await application(50),
  await application(500),
  await listsOf('McpServer, 50 tools', 50, (transport) => highLevel(50).connect(transport)),
];
const settings = readArguments<RaceSettings>();
sendResult(
  await race(
    workloads.map((workload) => asynchronousSide(workload, settings.window)),
    ['McpServer, 50 tools', 'toolwright, 500 tools'],
    settings,
  ),
);
