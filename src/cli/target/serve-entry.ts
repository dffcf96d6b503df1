import type { HttpListenOptions, HttpServing, Working } from '../../index.ts';
import { withoutUndefined } from '../../shared/json.ts';
import type { Terminal } from '../output/terminal.ts';
import type { Opening } from './entry-host.ts';
import type { LoadedEntry } from './entry.ts';

/** How a person wants an application to be served; it comes before what the file says. */
export interface ServingOptions {
  readonly port?: number;
  readonly host?: string;
  readonly path?: string;
  readonly stdio?: boolean;
  /** Further names under which the server may be called. */
  readonly allowedHost?: readonly string[];
  /** Further origins of pages that may call it. */
  readonly allowedOrigin?: readonly string[];
  /** Which pages of this machine may call it, unless the file says so. */
  readonly localOrigins?: HttpListenOptions['localOrigins'];
  /** Whether the explorer is served. Only `dev` has it; false with `--no-explorer`. */
  readonly explorer?: boolean;
  /** Whether it is served where others reach it. */
  readonly exposeExplorer?: boolean;
}

/** The port of an application that names none. */
export const DEFAULT_PORT = 3000;

/** What of that which a file asks for is opened, and how. */
export function openingOf(options: ServingOptions): Opening {
  const { port, host, path, stdio = false, explorer = false, exposeExplorer } = options;
  const { allowedHost, allowedOrigin, localOrigins } = options;
  const wantsHttp = [port, host, path].some((each) => each !== undefined);
  return {
    listen: (given): HttpListenOptions | undefined =>
      stdio
        ? undefined
        : {
            ...(port === undefined && host === undefined ? given : withoutSocket(given)),
            ...(port === undefined ? {} : { port }),
            ...(host === undefined ? {} : { host }),
            ...(path === undefined ? {} : { path }),
            ...withoutUndefined({
              allowedHosts: joined(given.allowedHosts, allowedHost),
              allowedOrigins: joined(given.allowedOrigins, allowedOrigin),
              localOrigins: given.localOrigins ?? localOrigins,
            }),
            explorer: explorer && exposeExplorer === true ? { exposed: true } : explorer,
            signals: false,
          },
    stdio: (given) => (wantsHttp && !stdio ? undefined : { ...given, signals: false }),
  };
}

/** What the command line names comes on top of what the file says. */
function joined(given: Names, more: Names): Names {
  return more === undefined ? given : [...(given ?? []), ...more];
}

type Names = readonly string[] | undefined;

/** Opens what was asked for and is not open yet: the file may only give an application. */
export async function serveEntry(
  { created, host }: LoadedEntry,
  { stdio = false }: ServingOptions,
  opening: Opening,
): Promise<void> {
  const { application, listenOptions, stdioOptions, servings } = created;
  if (servings.length > 0) return;
  const serving = stdio
    ? await host.serve(() => application.stdio(opening.stdio(stdioOptions ?? {})))
    : await host.serve(() =>
        application.listen(opening.listen(listenOptions ?? { port: DEFAULT_PORT }) ?? DEFAULT_PORT),
      );
  host.keep(application, serving);
}

/** A port comes before a socket. */
function withoutSocket({ socketPath, socketMode, ...options }: HttpListenOptions): HttpListenOptions {
  return socketPath === undefined ? options : { port: DEFAULT_PORT, ...options };
}

/** The addresses are the result; on stdio, stdout is the protocol's. */
export function announceEntry(
  { created: { servings } }: LoadedEntry,
  terminal: Terminal,
  hint: string,
): void {
  const places = servings.filter(
    (serving): serving is HttpServing => 'url' in serving && typeof serving.url === 'string',
  );
  const queues = servings.flatMap((serving) =>
    'queues' in serving ? (serving.queues as Working['queues']) : [],
  );
  if (queues.length > 0) terminal.say(`Working on ${queues.join(', ')}.`);
  const isOverStdio = servings.some((serving) => !('url' in serving) && !('queues' in serving));
  if (isOverStdio) terminal.say('Speaking over stdin and stdout. The end of stdin ends it.');
  for (const { url, explorer } of places) {
    if (isOverStdio) terminal.say(url);
    else terminal.give({ url, ...(explorer === undefined ? {} : { explorer }) }, () => url);
    if (explorer !== undefined) terminal.say(`explorer: ${explorer}`);
  }
  if (places.length + queues.length > 0) terminal.say(terminal.talk.dim(hint));
}
