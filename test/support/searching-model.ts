import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

type Members = Readonly<Record<string, unknown>>;

/** What a model that searches for tools was sent, and where it listens. */
export interface SearchingModel {
  readonly url: string;
  /** The `tools` of each request. */
  readonly requests: readonly (readonly Members[])[];
  close(): void;
}

/** The call that the model makes with the tool that it found. */
interface FoundCall {
  readonly name: string;
  readonly args: object;
}

/**
 * A model of OpenAI's Responses API and Anthropic's Messages API that searches, calls the tool that it found, and repeats
 * the result. It finds only what is deferred.
 */
export async function startSearchingModel({ name, args }: FoundCall): Promise<SearchingModel> {
  const requests: (readonly Members[])[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const tools = listIn(body['tools']);
      requests.push(tools);
      const isResponses = request.url?.endsWith('/responses') === true;
      const answer = isResponses
        ? answerResponses(body, tools, { name, args })
        : answerMessages(body, tools, { name, args });
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${String(port)}`, requests, close };
}

function answerResponses(body: Members, tools: readonly Members[], { name, args }: FoundCall): object {
  const result = listIn(body['input']).find(({ type }) => type === 'function_call_output');
  const output =
    result === undefined ? searchResponses(tools, { name, args }) : [message(textIn(result['output']))];
  return { id: 'resp_1', object: 'response', created_at: 0, model: 'searching', status: 'completed', output };
}

function searchResponses(tools: readonly Members[], { name, args }: FoundCall): readonly object[] {
  const namespace = tools.find((tool) => tool['type'] === 'namespace' && finds(listIn(tool['tools']), name));
  const hasSearch = tools.some(({ type }) => type === 'tool_search');
  if (namespace === undefined || !hasSearch) return [message('nothing found')];
  const search = { execution: 'server', call_id: null, status: 'completed' };
  return [
    { type: 'tool_search_call', id: 'tsc_1', ...search, arguments: { paths: [namespace['name']] } },
    { type: 'tool_search_output', id: 'tso_1', ...search, tools: [namespace] },
    {
      ...{ type: 'function_call', id: 'fc_1', call_id: 'call_1', status: 'completed' },
      ...{ namespace: namespace['name'], name, arguments: JSON.stringify(args) },
    },
  ];
}

function answerMessages(body: Members, tools: readonly Members[], { name, args }: FoundCall): object {
  const results = listIn(body['messages'])
    .flatMap(({ content }) => listIn(content))
    .filter(({ type }) => type === 'tool_result');
  const content =
    results.length > 0 ? [text(textIn(results[0]?.['content']))] : searchMessages(tools, { name, args });
  const isCall = results.length === 0;
  return {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'searching', stop_sequence: null },
    stop_reason: isCall ? 'tool_use' : 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
    content,
  };
}

function searchMessages(tools: readonly Members[], { name, args }: FoundCall): readonly object[] {
  const search = tools.find(({ type }) => type === 'tool_search_tool_bm25_20251119');
  if (search === undefined || !finds(tools, name)) return [text('nothing found')];
  const references = [{ type: 'tool_reference', tool_name: name }];
  return [
    {
      type: 'server_tool_use',
      id: 'srvtoolu_1',
      name: search['name'],
      input: { query: name },
      caller: { type: 'direct' },
    },
    {
      ...{ type: 'tool_search_tool_result', tool_use_id: 'srvtoolu_1' },
      content: { type: 'tool_search_tool_search_result', tool_references: references },
    },
    { type: 'tool_use', id: 'toolu_1', name, input: args, caller: { type: 'direct' } },
  ];
}

function finds(tools: readonly Members[], name: string): boolean {
  return tools.some((tool) => tool['name'] === name && tool['defer_loading'] === true);
}

function message(said: string): object {
  const content = [{ type: 'output_text', text: said, annotations: [] }];
  return { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
}

function text(said: string): object {
  return { type: 'text', text: said, citations: null };
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function listIn(value: unknown): readonly Members[] {
  return Array.isArray(value) ? (value as readonly Members[]) : [];
}

async function readBody(request: IncomingMessage): Promise<Members> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString() || '{}') as Members;
}
