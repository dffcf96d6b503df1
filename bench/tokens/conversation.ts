import { McpApplication, type SurfaceName } from 'toolwright';
import { MODERN_META } from '../load/http-call.ts';
import { InvoicingModule } from './invoicing.ts';

/** What is said in a conversation about an invoice: a call of an action, and how a model would look for it. */
const STEPS: readonly { readonly action: string; readonly input: object; readonly query: string }[] = [
  { action: 'customers.list', input: { limit: 20 }, query: 'find a customer' },
  { action: 'customers.get', input: { customer: 'C-17' }, query: 'show a customer' },
  { action: 'invoices.create', input: { customer: 'C-17', currency: 'EUR' }, query: 'create an invoice' },
  {
    action: 'invoices.add_line',
    input: { invoice: '2026-0042', text: 'Support in November', quantity: 12, price: 95 },
    query: 'add a line to an invoice',
  },
  {
    action: 'invoices.add_line',
    input: { invoice: '2026-0042', text: 'Hosting', quantity: 1, price: 60 },
    query: 'add a line to an invoice',
  },
  { action: 'invoices.get', input: { invoice: '2026-0042' }, query: 'show an invoice' },
  { action: 'invoices.send', input: { invoice: '2026-0042' }, query: 'send an invoice' },
  {
    action: 'payments.record',
    input: { invoice: '2026-0042', amount: 1200, method: 'transfer' },
    query: 'record a payment',
  },
];

interface Call {
  readonly name: string;
  readonly arguments: object;
}

/** A whole conversation: what the model reads of the tools, what it calls, and the texts that come back. */
export interface Conversation {
  readonly tools: readonly object[];
  readonly calls: readonly Call[];
  readonly results: readonly string[];
}

/** Has the conversation on a surface, over the protocol. On `progressive` each action is searched once before it is called. */
export async function converse(surface: SurfaceName): Promise<Conversation> {
  const app = await McpApplication.create(InvoicingModule, { name: 'invoicing', version: '1.0.0', surface });
  const listed = app.registry.listed(app.registry.surfaceNamed(surface));
  const calls: Call[] = [];
  const found = new Set<string>();
  for (const { action, input, query } of STEPS) {
    if (surface === 'progressive' && !found.has(action)) {
      calls.push({ name: 'find_actions', arguments: { query } });
      found.add(action);
    }
    calls.push(surface === 'progressive' ? carriedCall(action, input) : directCall(listed, action, input));
  }
  const results: string[] = [];
  for (const call of calls) results.push(await callOverProtocol(app, call));
  await app.close();
  return { tools: listed.map(({ definition }) => definition), calls, results };
}

const READS = /\.(?:list|get)$/;

function carriedCall(action: string, input: object): Call {
  const name = READS.test(action) ? 'read_action' : 'call_action';
  return { name, arguments: { action, arguments: input } };
}

type Listed = ReturnType<McpApplication['registry']['listed']>;

/** @throws Error for an action that is not there */
function directCall(listed: Listed, wanted: string, input: object): Call {
  for (const { name, discriminator, actions } of listed) {
    const action = actions.find(({ root, key }) => `${root}.${key}` === wanted);
    if (action === undefined) continue;
    const chosen = discriminator === undefined ? {} : { [discriminator]: action.key };
    return { name, arguments: { ...chosen, ...input } };
  }
  throw new Error(`There is no action ${wanted}`);
}

/** The text of the result. @throws Error for a call that failed */
async function callOverProtocol(app: McpApplication, call: Call): Promise<string> {
  const params = { ...call, _meta: MODERN_META };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': call.name,
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const response = await app.fetch(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }));
  const text = await response.text();
  const { result } = JSON.parse(text.startsWith('{') ? text : text.replace(/^[^{]*/, '')) as {
    readonly result?: { readonly isError?: boolean; readonly content: readonly { readonly text?: string }[] };
  };
  if (result === undefined || result.isError === true) throw new Error(`${call.name} answers ${text}`);
  return result.content.map((block) => block.text ?? '').join('\n');
}
