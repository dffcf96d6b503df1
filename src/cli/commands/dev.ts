import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openLoader } from '../../loader/index.ts';
import type { RunCommand } from '../command.ts';
import { Development } from '../dev/development.ts';
import { DevelopmentExplorer } from '../dev/explorer-host.ts';
import { AdviceTeller, Growth, sayEvent } from '../dev/say-event.ts';
import { FolderWatcher } from '../dev/watch-folders.ts';
import { EXIT, type ExitCode } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { chooseEntry } from '../target/default-entry.ts';
import { openingOf, serveEntry, type ServingOptions } from '../target/serve-entry.ts';
import { Signals } from '../target/signals.ts';

interface DevOptions extends ServingOptions {
  readonly timeout?: number;
  /** False with `--no-watch`. */
  readonly watch?: boolean;
  readonly fresh?: boolean;
  readonly watchDir?: readonly string[];
}

/** Serves the application of a file, and swaps in what is saved. */
export const run: RunCommand<DevOptions> = async ({ values: [reference], options }, terminal) => {
  const commandLine = [...process.execArgv, ...process.argv.slice(1)];
  const signals = new Signals();
  const session = await openSession(chooseEntry(reference), options, terminal);
  const keys = restartKey(terminal, options.stdio);
  try {
    const end = await Promise.race([signals.received, session.ended, keys.pressed]);
    if (end === 'restart') {
      keys.release();
      await session.close();
      return await startAgain(commandLine);
    }
    if (end !== undefined) terminal.say(terminal.talk.dim('Ending; running calls may finish.'));
    const isDrained = await session.close(end);
    if (!isDrained) terminal.complain('Some calls were still running and were cut off.');
    if (end === 'SIGINT') return EXIT.interrupted;
    return isDrained ? EXIT.done : EXIT.finding;
  } finally {
    keys.release();
    signals.release();
  }
};

/** An application that is served until its clients or a person end it. */
interface Session {
  readonly ended: Promise<undefined>;
  close(signal?: string): Promise<boolean>;
}

async function openSession(reference: string, options: DevOptions, terminal: Terminal): Promise<Session> {
  const opening = openingOf({ ...options, localOrigins: 'own' });
  const growth = new Growth();
  const advice = new AdviceTeller();
  const explorer = new DevelopmentExplorer();
  let end: () => void = () => undefined;
  const ended = new Promise<undefined>((resolve) => {
    end = () => {
      resolve(undefined);
    };
  });
  const watcher =
    options.watch === false ? undefined : new FolderWatcher(() => void development.update().then(follow));
  const development: Development = new Development(reference, await openLoader(), {
    timeout: options.timeout,
    isFresh: options.fresh ?? false,
    folders: options.watchDir ?? [],
    opening,
    explorer,
    serve: async (entry) => {
      await serveEntry(entry, options, opening);
      void Promise.all(entry.created.servings.map(({ closed }) => closed)).then(end);
    },
    report: (event) => {
      explorer.report(event);
      sayEvent(event, terminal, terminal.canAsk && options.stdio !== true);
      if ('entry' in event) {
        const { application, listenOptions } = event.entry.created;
        advice.tell(application.advice(listenOptions), terminal);
      }
      const size = event.kind === 'swapped' ? growth.advice(event.count) : undefined;
      if (size !== undefined) terminal.complain(terminal.talk.yellow(size));
    },
    isOver: watcher && ((since) => watcher.isOver(since)),
  });
  const follow = async (): Promise<void> => {
    const { files, folders } = await development.watched();
    if (watcher?.follow(files, folders) !== true) return;
    // What was saved since these files were loaded, and before they were watched
    await development.update();
    await follow();
  };
  await development.update();
  await follow();
  return {
    ended,
    close: (signal) => {
      watcher?.close();
      return development.close(signal);
    },
  };
}

/** A new process with the same command line, and its exit code. */
async function startAgain(commandLine: readonly string[]): Promise<ExitCode> {
  const child = spawn(process.execPath, commandLine, { stdio: 'inherit' });
  // The terminal sends its signals to both
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  const [code] = (await once(child, 'exit')) as [number | null];
  return (code ?? EXIT.interrupted) as ExitCode;
}

const RESTART = 'r';
const CTRL_C = '\u0003';

/** The key with which a person starts everything again. */
export interface RestartKey {
  /** Never resolves where nobody is there to press it. */
  readonly pressed: Promise<'restart'>;
  /** Gives the terminal back. */
  release(): void;
}

/** Listens for the key, unless stdin belongs to the protocol. */
export function restartKey(terminal: Terminal, isProtocol = false): RestartKey {
  if (!terminal.canAsk || isProtocol) {
    return { pressed: new Promise(() => undefined), release: () => undefined };
  }
  const { stdin } = process;
  let restart: (key: 'restart') => void = () => undefined;
  const pressed = new Promise<'restart'>((resolve) => {
    restart = resolve;
  });
  const read = (data: Buffer): void => {
    const key = data.toString('utf8');
    // A terminal that hands over single keys makes no signal of this one
    if (key === CTRL_C) process.kill(process.pid, 'SIGINT');
    else if (key === RESTART) restart('restart');
  };
  stdin.setRawMode(true);
  stdin.on('data', read).resume();
  return {
    pressed,
    release: () => {
      stdin.off('data', read).pause();
      stdin.setRawMode(false);
    },
  };
}
