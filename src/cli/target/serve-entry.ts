import type { HttpListenOptions } from '../../index.ts';
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
}

/** The port of an application that names none. */
export const DEFAULT_PORT = 3000;

/** What of that which a file asks for is opened, and how. */
export function openingOf(options: ServingOptions): Opening {
  const { port, host, path, stdio = false, allowedHost } = options;
  const wantsHttp = [port, host, path].some((each) => each !== undefined);
  return {
    listen: (given): HttpListenOptions | undefined =>
      stdio
        ? undefined
        : {
            ...given,
            ...(port === undefined ? {} : { port }),
            ...(host === undefined ? {} : { host }),
            ...(path === undefined ? {} : { path }),
            ...(allowedHost === undefined
              ? {}
              : { allowedHosts: [...(given.allowedHosts ?? []), ...allowedHost] }),
            signals: false,
          },
    stdio: (given) => (wantsHttp && !stdio ? undefined : { ...given, signals: false }),
  };
}

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
        application.listen(opening.listen({ port: DEFAULT_PORT, ...listenOptions }) ?? DEFAULT_PORT),
      );
  host.keep(application, serving);
}

/** The addresses are the result; on stdio, stdout is the protocol's. */
export function announceEntry(
  { created: { servings } }: LoadedEntry,
  terminal: Terminal,
  hint: string,
): void {
  const urls = servings.flatMap((serving) =>
    'url' in serving && typeof serving.url === 'string' ? [serving.url] : [],
  );
  if (urls.length < servings.length)
    terminal.say('Speaking over stdin and stdout. The end of stdin ends it.');
  for (const url of urls) {
    if (urls.length < servings.length) terminal.say(url);
    else terminal.give({ url }, () => url);
  }
  if (urls.length > 0) terminal.say(terminal.talk.dim(hint));
}
