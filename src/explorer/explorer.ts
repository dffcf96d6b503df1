import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Explored } from '../application/explorer/explored-types.ts';
import type { ExplorerOpening, OpenedExplorer } from '../application/explorer/open-explorer.ts';
import type { AuthInfo, ChangeNotice } from '../index.ts';
import { ExplorerApi, CallerUnknown } from './api.ts';
import { authInfoOf, readCaller } from './callers.ts';
import { CALLER_HEADER, PATHS, type ExplorerEvent, type SwapFailure } from './contract.ts';
import { EventStreams } from './events.ts';
import { HEADERS, mediaFault, refusal, sourceFault, tokenFault, type Refusal } from './guard.ts';
import { checkPlace, sourcesOf, type Sources } from './place.ts';
import { maskExchange } from './masking.ts';
import { pageFile } from './page-file.ts';
import { SeenClients } from './seen-clients.ts';
import { ShownViews } from './shown-views.ts';

const TOKEN_BYTES = 32;

/**
 * Opens the explorer beside the endpoint of an application. `app.listen({ explorer: true })` calls it.
 * @throws ToolwrightError TW_EXPLORER_HOST on an address that others reach
 */
export function openExplorer(opening: ExplorerOpening): OpenedExplorer {
  checkPlace(opening);
  return new Explorer(opening);
}

class Explorer implements OpenedExplorer {
  readonly url: string;
  readonly #opening: ExplorerOpening;
  readonly #token = randomBytes(TOKEN_BYTES).toString('base64url');
  readonly #sources: Sources;
  readonly #endpoint: ReturnType<ExplorerOpening['place']['open']>;
  readonly #api: ExplorerApi;
  readonly #streams = new EventStreams();
  readonly #clients = new SeenClients();
  readonly #views = new ShownViews();
  readonly #stopListening: (() => void) | undefined;
  /** The application as the latest request found it: the endpoint asks who calls without waiting. */
  #explored: Explored | undefined;

  constructor(opening: ExplorerOpening) {
    const { place, host } = opening;
    this.#opening = opening;
    this.#sources = sourcesOf(place);
    this.url = `${place.url.origin}${PATHS.page}#token=${this.#token}`;
    this.#endpoint = place.open(PATHS.mcp, this.#sources, (request) =>
      this.#callerOf(request.sentHeader(CALLER_HEADER)),
    );
    this.#api = new ExplorerApi(opening, this.#clients, this.#views);
    this.#stopListening = host?.listen((event) => {
      this.#streams.send(event as ExplorerEvent);
    });
  }

  take(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const path = (incoming.url ?? '').split('?', 1)[0] ?? '';
    if (path !== PATHS.page && !path.startsWith(`${PATHS.page}/`)) return false;
    for (const [name, value] of Object.entries(HEADERS)) outgoing.setHeader(name, value);
    const fault = this.#fault(path, incoming);
    if (fault !== undefined) answer(outgoing, fault.status, fault.body);
    else void this.#serve(path, incoming, outgoing);
    return true;
  }

  notify(change: ChangeNotice): void {
    this.#endpoint.notify(change);
    const { kind } = change;
    this.#streams.send({ type: 'changed', kind, ...('uri' in change ? { uri: change.uri } : {}) });
  }

  see(message: Parameters<OpenedExplorer['see']>[0]): void {
    const isNew = this.#clients.add(message);
    if (!this.#streams.isOpen) return;
    const { exchange, from: _, ...seen } = message;
    if (isNew) this.#streams.send({ type: 'client' });
    const passed = exchange();
    const paths = this.#explored?.sensitiveOutputOf(seen.tool) ?? [];
    this.#streams.send({
      type: 'traffic',
      ...seen,
      ...(passed === undefined ? {} : maskExchange(passed, paths)),
    });
  }

  async stop(): Promise<void> {
    this.#streams.close();
    await this.#endpoint.stop();
  }

  async close(): Promise<void> {
    this.#stopListening?.();
    this.#streams.close();
    await this.#endpoint.close();
  }

  #fault(path: string, incoming: IncomingMessage): Refusal | undefined {
    const source = sourceFault(incoming, this.#sources);
    if (source !== undefined) return source;
    const isDocument = path === PATHS.page || path.startsWith(`${PATHS.view}/`);
    if (!isDocument) return tokenFault(incoming, this.#token) ?? mediaFault(incoming);
    return incoming.method === 'GET' || incoming.method === 'HEAD'
      ? undefined
      : refusal(405, 'METHOD', 'Pages are read with GET.');
  }

  async #serve(path: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      if (path === PATHS.page) return await sendPage(outgoing);
      if (path.startsWith(`${PATHS.view}/`)) return this.#sendView(path, outgoing);
      this.#explored = await this.#opening.current();
      if (path === PATHS.mcp) return this.#serveEndpoint(incoming, outgoing);
      if (path === PATHS.events) return this.#stream(incoming, outgoing, this.#explored);
      const { status, body } = await this.#api.answer(path, incoming, this.#explored);
      answer(outgoing, status, body);
    } catch (error) {
      if (error instanceof CallerUnknown) return answer(outgoing, 400, error.body);
      this.#opening.place.report(error);
      answer(outgoing, 500, {
        error: { code: 'INTERNAL', message: 'The explorer failed; the log says why.' },
      });
    }
  }

  #serveEndpoint(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { [CALLER_HEADER]: given } = incoming.headers;
    if (this.#explored !== undefined && readCaller(given, this.#explored) === undefined)
      throw new CallerUnknown();
    this.#endpoint.receive(incoming, outgoing);
  }

  #callerOf(given: string | null): AuthInfo | undefined {
    if (this.#explored === undefined || !this.#api.asksCallers(this.#explored)) return undefined;
    const facts = readCaller(given ?? '', this.#explored);
    return facts === undefined ? undefined : authInfoOf(facts);
  }

  #sendView(path: string, outgoing: ServerResponse): void {
    const view = this.#views.take(path);
    if (view === undefined) {
      const { status, body } = refusal(404, 'VIEW', 'There is no such view, or it was read before.');
      return answer(outgoing, status, body);
    }
    sendDocument(outgoing, Buffer.from(view.html), view.policy);
  }

  #stream({ method }: IncomingMessage, outgoing: ServerResponse, { surfaceHash }: Explored): void {
    if (method !== 'GET') return answer(outgoing, 405, refusal(405, 'METHOD', 'Use GET.').body);
    outgoing.writeHead(200, { 'content-type': 'application/x-ndjson' });
    const failure = this.#opening.host?.failure as SwapFailure | undefined;
    this.#streams.add(outgoing, {
      type: 'connected',
      surfaceHash,
      ...(failure === undefined ? {} : { failure }),
    });
  }
}

async function sendPage(outgoing: ServerResponse): Promise<void> {
  const page = await pageFile();
  if (page === undefined) {
    const message = 'The page is not built: run `npm run build`.';
    return answer(outgoing, 503, { error: { code: 'PAGE', message } });
  }
  sendDocument(outgoing, page.html, page.policy);
}

function sendDocument(outgoing: ServerResponse, html: Buffer, policy: string): void {
  outgoing.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'content-length': html.length,
  });
  outgoing.end(html);
}

function answer(outgoing: ServerResponse, status: number, body: object): void {
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  const text = Buffer.from(JSON.stringify(body));
  outgoing.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length });
  outgoing.end(text);
}
