import type { HttpListenOptions } from '../../index.ts';
import type { RunCommand } from '../command.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import type { Terminal } from '../output/terminal.ts';
import type { Opening } from '../target/entry-host.ts';
import { loadEntry, type LoadedEntry } from '../target/entry.ts';
import { Signals } from '../target/signals.ts';

interface RunOptions {
  readonly port?: number;
  readonly host?: string;
  readonly path?: string;
  readonly stdio?: boolean;
  readonly timeout?: number;
}

/** Serves the application of a file as the file says; the options come before what it says. */
export const run: RunCommand<RunOptions> = async ({ values: [reference = ''], options }, terminal) => {
  const signals = new Signals();
  const opening = openingOf(options);
  const { timeout } = options;
  const entry = await loadEntry(reference, { timeout, opening, waitsForServing: true });
  try {
    await serve(entry, options, opening);
    announce(entry, terminal);
    return await untilEnded(entry, signals, terminal);
  } finally {
    await entry.close();
    signals.release();
  }
};

const DEFAULT_PORT = 3000;

/** What of that which a file asks for is opened, and how. */
function openingOf({ port, host, path, stdio = false }: RunOptions): Opening {
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
            signals: false,
          },
    stdio: (given) => (wantsHttp && !stdio ? undefined : { ...given, signals: false }),
  };
}

/** Opens what was asked for and is not open yet: the file may only give an application. */
async function serve(
  { created, host }: LoadedEntry,
  { stdio = false }: RunOptions,
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
function announce({ created: { servings } }: LoadedEntry, terminal: Terminal): void {
  const urls = servings.flatMap((serving) =>
    'url' in serving && typeof serving.url === 'string' ? [serving.url] : [],
  );
  if (urls.length < servings.length)
    terminal.say('Speaking over stdin and stdout. The end of stdin ends it.');
  for (const url of urls) {
    if (urls.length < servings.length) terminal.say(url);
    else terminal.give({ url }, () => url);
  }
  if (urls.length > 0) terminal.say(terminal.talk.dim('Serving. Ctrl-C ends it.'));
}

/** Running calls may end; a second signal does not wait for them. */
async function untilEnded(entry: LoadedEntry, signals: Signals, terminal: Terminal): Promise<ExitCode> {
  const ended = Promise.all(entry.created.servings.map(({ closed }) => closed)).then(() => undefined);
  const signal = await Promise.race([signals.received, ended]);
  if (signal !== undefined) terminal.say(terminal.talk.dim('Ending; running calls may finish.'));
  const isDrained = await entry.close(signal);
  if (!isDrained) terminal.complain('Some calls were still running and were cut off.');
  if (signal === 'SIGINT') return EXIT.interrupted;
  return isDrained ? EXIT.done : EXIT.finding;
}
