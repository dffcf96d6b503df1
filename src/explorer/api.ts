import type { IncomingMessage } from 'node:http';
import type { Explored } from '../application/explorer/explored-types.ts';
import type { ExplorerOpening } from '../application/explorer/open-explorer.ts';
import type { AuthInfo, CallToolResult } from '../index.ts';
import { ByteCollector } from '../shared/byte-collector.ts';
import { isPlainObject, membersOf, parseJson } from '../shared/json.ts';
import { WORKFLOWS_TO_EXPLORE, type WorkflowsToExplore } from '../workflow/application/explored-workflows.ts';
import { authInfoOf, namedCallers, readCaller } from './callers.ts';
import {
  CALLER_HEADER,
  PATHS,
  type ApiFailure,
  type CheckAnswer,
  type EvalsView,
  type ExploredApplication,
  type LockView,
  type SurfaceView,
  type ViewPlace,
} from './contract.ts';
import { refusal } from './guard.ts';
import { conversionFault, isFormat, modelView } from './model-view.ts';
import type { SeenClients } from './seen-clients.ts';
import type { ShownViews } from './shown-views.ts';

/** In bytes. */
const LARGEST_BODY = 4 * 1024 * 1024;

const METHODS: Readonly<Record<string, 'GET' | 'POST' | undefined>> = {
  [PATHS.application]: 'GET',
  [PATHS.check]: 'POST',
  [PATHS.model]: 'GET',
  [PATHS.surface]: 'GET',
  [PATHS.lock]: 'GET',
  [PATHS.evals]: 'GET',
  [PATHS.views]: 'POST',
};

interface ApiAnswer {
  readonly status: number;
  readonly body: object;
}

/** A caller that was given and cannot be read. */
export class CallerUnknown extends Error {
  readonly body: ApiFailure = {
    error: {
      code: 'CALLER',
      message: 'The caller is neither one that is known nor an object with facts of one.',
    },
  };
}

/** What the page asks beyond the protocol. */
export class ExplorerApi {
  readonly #opening: ExplorerOpening;

  readonly #clients: SeenClients;

  readonly #views: ShownViews;

  constructor(opening: ExplorerOpening, clients: SeenClients, views: ShownViews) {
    this.#opening = opening;
    this.#clients = clients;
    this.#views = views;
  }

  /** Whether it matters who calls. */
  asksCallers(explored: Explored): boolean {
    return explored.asksCallers || this.#opening.authenticates;
  }

  /** @throws CallerUnknown */
  async answer(path: string, incoming: IncomingMessage, explored: Explored): Promise<ApiAnswer> {
    const method = METHODS[path];
    if (method === undefined) return refusal(404, 'PATH', 'Nothing is served at this path.');
    if (incoming.method !== method) return refusal(405, 'METHOD', `Use ${method}.`);
    const query = new URL(incoming.url ?? '', 'http://localhost').searchParams;
    const given = incoming.headers[CALLER_HEADER] ?? query.get('caller') ?? undefined;
    switch (path) {
      case PATHS.application:
        return ok(await this.#application(explored, given));
      case PATHS.model:
        return this.#model(explored, given, query);
      case PATHS.surface:
        return this.#surface(explored, given, query);
      case PATHS.lock:
        return ok(await this.#lock());
      case PATHS.evals:
        return ok(await this.#evals());
      case PATHS.views:
        return this.#show(incoming);
      default:
        return this.#check(explored, given, incoming);
    }
  }

  async #application(explored: Explored, given: unknown): Promise<ExploredApplication> {
    const { info, surfaceHash, scopes, roles, issuer, graph } = explored;
    const { name, version, title, instructions } = info;
    const { state } = await this.#lock();
    const callers = namedCallers(explored);
    const authorization = { callers, scopes, roles, ...(issuer === undefined ? {} : { issuer }) };
    return {
      server: {
        name,
        version,
        ...(title === undefined ? {} : { title }),
        ...(typeof instructions !== 'string' ? {} : { instructions }),
      },
      eras: ['2025-11-25', '2026-07-28'],
      endpoint: this.#opening.place.url.pathname,
      surfaceHash,
      ...(state === 'unknown' ? {} : { lock: state }),
      ...(this.asksCallers(explored) ? { authorization } : {}),
      ...(await explored.offersTo(this.#caller(explored, given))),
      graph,
      workflows: await workflowsOf(explored),
    };
  }

  async #model(explored: Explored, given: unknown, query: URLSearchParams): Promise<ApiAnswer> {
    const format = query.get('format') ?? 'mcp';
    const wanted = query.get('tool');
    if (!isFormat(format)) return refusal(404, 'FORMAT', 'There is no such form.');
    const { tools } = await explored.offersTo(this.#caller(explored, given));
    const chosen = tools.filter(({ name }) => wanted === null || name === wanted);
    if (wanted !== null && chosen.length === 0) return refusal(404, 'TOOL', 'There is no such tool.');
    try {
      return ok(
        await modelView(
          chosen.map(({ definition }) => definition),
          format,
        ),
      );
    } catch (error) {
      const fault = conversionFault(error);
      if (fault === undefined) throw error;
      return { status: 422, body: { error: { code: 'CONVERSION', message: fault } } };
    }
  }

  async #surface(explored: Explored, given: unknown, query: URLSearchParams): Promise<ApiAnswer> {
    const [surface, client] = [query.get('surface'), query.get('client')];
    const wanted = { ...(surface === null ? {} : { surface }), ...(client === null ? {} : { client }) };
    const preview = await explored.previewSurface(wanted, this.#caller(explored, given));
    if (preview === undefined) return refusal(404, 'SURFACE', 'There is no such surface or client.');
    const { tools, beside, ...others } = preview;
    const view: SurfaceView = {
      ...others,
      model: await modelView([...tools, ...beside], 'mcp'),
      beside: beside.map(({ name }) => String(name)),
      seen: await this.#clients.list(explored),
    };
    return ok(view);
  }

  async #lock(): Promise<LockView> {
    return ((await this.#opening.host?.lock()) as LockView | undefined) ?? { state: 'unknown', changes: [] };
  }

  async #evals(): Promise<EvalsView> {
    return ((await this.#opening.host?.evals?.()) as EvalsView | undefined) ?? { runs: [] };
  }

  async #check(explored: Explored, given: unknown, incoming: IncomingMessage): Promise<ApiAnswer> {
    const body = await readBody(incoming);
    if (body === 'too-large') return refusal(413, 'SIZE', 'The body is too large.');
    const { tool, arguments: args, caller = given } = membersOf(body);
    if (typeof tool !== 'string' || !isPlainObject(args)) {
      return refusal(400, 'BODY', 'The body is { tool, arguments, caller? }.');
    }
    return ok(checked(await explored.check(tool, args, this.#caller(explored, caller))));
  }

  async #show(incoming: IncomingMessage): Promise<ApiAnswer> {
    const body = await readBody(incoming);
    if (body === 'too-large') return refusal(413, 'SIZE', 'The body is too large.');
    const { html, csp } = membersOf(body);
    if (typeof html !== 'string') return refusal(400, 'BODY', 'The body is { html, csp? }.');
    const place: ViewPlace = { path: this.#views.add(html, csp) };
    return ok(place);
  }

  #caller(explored: Explored, given: unknown): AuthInfo | undefined {
    const facts = readCaller(given, explored);
    if (facts === undefined) throw new CallerUnknown();
    return this.asksCallers(explored) ? authInfoOf(facts) : undefined;
  }
}

async function workflowsOf(explored: Explored): Promise<ExploredApplication['workflows']> {
  const provided = explored.provided(WORKFLOWS_TO_EXPLORE) as WorkflowsToExplore | undefined;
  return (await provided?.all()) ?? [];
}

function ok(body: object): ApiAnswer {
  return { status: 200, body };
}

function checked({ isError, content, _meta: meta }: CallToolResult): CheckAnswer {
  if (isError !== true) return { ok: true };
  const { code, issues } = membersOf(membersOf(meta)['toolwright/error']);
  const found = Array.isArray(issues) ? issues.map(membersOf) : [];
  return {
    ok: false,
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join('\n'),
    ...(typeof code === 'string' ? { code } : {}),
    issues: found.map(({ path = '', message = '' }) => ({ path: String(path), message: String(message) })),
  };
}

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const collector = new ByteCollector(LARGEST_BODY);
  for await (const chunk of incoming) {
    if (!collector.add(chunk as Uint8Array)) return 'too-large';
  }
  return parseJson(Buffer.from(collector.take()).toString('utf8'));
}
