import { parameterHeaders } from '../../../client/era-2026.ts';
import type { JsonSchema } from '../../../shared/json-schema.ts';
import { membersOf } from '../../../shared/json.ts';
import {
  type ExploredTool,
  type JsonObject,
  PATHS,
  type ViewPlace,
  type ViewRequest,
} from '../../contract.ts';
import { knownApplication } from './application.ts';
import { call, type CallRequest } from './calls.ts';
import { CLIENT_NAME } from './connection.ts';
import { askApi } from './session.ts';

/** What a view learns of the place where it stands. */
export interface ViewContext {
  readonly theme: 'light' | 'dark';
  readonly width: number;
}

interface ViewHostOptions {
  readonly frame: HTMLIFrameElement;
  readonly context: ViewContext;
  /** The call whose result the view shows. */
  readonly shown: { readonly args: JsonObject; readonly result: JsonObject };
  readonly onHeight: (height: number) => void;
}

const PROTOCOL = '2026-01-26';
const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;
const TEARDOWN = 'teardown';
/** A view that does not answer is closed as well. In milliseconds. */
const MAX_TEARDOWN_TIME = 1000;

/** The host of a view in a frame (MCP Apps 2026-01-26). It listens to that frame alone, and calls tools for views alone. */
export class ViewHost {
  readonly #options: ViewHostOptions;
  #context: ViewContext;
  #isTornDown: (() => void) | undefined;

  constructor(options: ViewHostOptions) {
    this.#options = options;
    this.#context = options.context;
    addEventListener('message', this.#hear);
  }

  change(context: ViewContext): void {
    this.#context = context;
    this.#post({ method: 'ui/notifications/host-context-changed', params: hostContext(context) });
  }

  /** Once the view has put away what it holds. */
  async close(): Promise<void> {
    const answered = new Promise<void>((resolve) => (this.#isTornDown = resolve));
    this.#post({ id: TEARDOWN, method: 'ui/resource-teardown', params: {} });
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, MAX_TEARDOWN_TIME))]);
    this.stop();
  }

  stop(): void {
    removeEventListener('message', this.#hear);
  }

  readonly #hear = ({ source, data }: MessageEvent<unknown>): void => {
    if (source !== this.#options.frame.contentWindow) return;
    const { jsonrpc, id, method, params } = membersOf(data);
    if (jsonrpc !== '2.0') return;
    if (method === undefined) {
      if (id === TEARDOWN) this.#isTornDown?.();
    } else if (id === undefined) this.#note(method, membersOf(params));
    else void this.#answer(id, method, membersOf(params));
  };

  #note(method: unknown, { height }: JsonObject): void {
    const { shown, onHeight } = this.#options;
    if (method === 'ui/notifications/size-changed' && typeof height === 'number') onHeight(height);
    if (method !== 'ui/notifications/initialized') return;
    this.#post({ method: 'ui/notifications/tool-input', params: { arguments: shown.args } });
    this.#post({ method: 'ui/notifications/tool-result', params: shown.result });
  }

  async #answer(id: unknown, method: unknown, params: JsonObject): Promise<void> {
    try {
      const result = await this.#resultOf(method, params);
      const unknown = { code: METHOD_NOT_FOUND, message: `The explorer has no ${String(method)}.` };
      this.#post(result === undefined ? { id, error: unknown } : { id, result });
    } catch (error) {
      this.#post({ id, error: { code: INTERNAL_ERROR, message: (error as Error).message } });
    }
  }

  async #resultOf(method: unknown, params: JsonObject): Promise<JsonObject | undefined> {
    if (method === 'ping') return {};
    if (method === 'tools/call') return callForView(params);
    if (method !== 'ui/initialize') return undefined;
    return {
      protocolVersion: PROTOCOL,
      hostInfo: { name: CLIENT_NAME, version: PROTOCOL },
      hostCapabilities: { serverTools: {} },
      hostContext: hostContext(this.#context),
    };
  }

  /** To any origin, because that of a sandbox has no name. The policy of the page keeps the frame from going elsewhere. */
  #post(message: JsonObject): void {
    this.#options.frame.contentWindow?.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }
}

function hostContext({ theme, width }: ViewContext): JsonObject {
  return {
    ...{ theme, displayMode: 'inline', availableDisplayModes: ['inline'], platform: 'web' },
    containerDimensions: { width },
  };
}

/** The view of a tool: `_meta.ui.resourceUri`; undefined where it has none. */
export function viewUri({ definition }: ExploredTool): string | undefined {
  const { resourceUri } = membersOf(membersOf(definition['_meta'])['ui']);
  return typeof resourceUri === 'string' ? resourceUri : undefined;
}

/** Reads a view as every client does. @returns the path at which a frame finds it, once */
export async function openView(uri: string): Promise<string> {
  const { contents } = await request('resources/read', uri, async (client, options) => {
    return (await client.readResource(uri, options)) as unknown as JsonObject;
  });
  const { text, _meta } = membersOf(Array.isArray(contents) ? contents[0] : undefined);
  if (typeof text !== 'string') throw new Error(`${uri} has no text.`);
  const { csp } = membersOf(membersOf(_meta)['ui']);
  const body: ViewRequest = { html: text, csp: membersOf(csp) };
  const { path } = (await (await askApi(PATHS.views, { body })).json()) as ViewPlace;
  return path;
}

/** Hosts give views only the tools that are for views (MCP Apps: Visibility). */
async function callForView({ name, arguments: given }: JsonObject): Promise<JsonObject> {
  const tool = knownApplication.peek()?.tools.find((each) => each.name === name);
  const { visibility } = membersOf(membersOf(tool?.definition['_meta'])['ui']);
  const isForViews = !Array.isArray(visibility) || visibility.includes('app');
  if (tool === undefined || !isForViews) throw new Error(`Views may not call ${String(name)}.`);
  const args = membersOf(given);
  const headers = parameterHeaders(tool.definition['inputSchema'] as JsonSchema, args);
  return request('tools/call', tool.name, (client, options) =>
    client.request('tools/call', { name: tool.name, arguments: args }, { ...options, headers }),
  );
}

/** A request that the timeline shows. @throws what the server refused it with */
async function request(method: string, subject: string, send: CallRequest['send']): Promise<JsonObject> {
  let answer: Promise<JsonObject> | undefined;
  await call({
    ...{ place: `view/${subject}`, method, subject },
    send: (...client) => (answer = send(...client)),
  });
  if (answer === undefined) throw new Error('The server does not answer.');
  return answer;
}
