import type { RunCommand } from '../command.ts';
import { EXIT, type ExitCode } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { chooseEntry } from '../target/default-entry.ts';
import { loadEntry, type LoadedEntry } from '../target/entry.ts';
import { announceEntry, openingOf, serveEntry, type ServingOptions } from '../target/serve-entry.ts';
import { Signals } from '../target/signals.ts';

interface RunOptions extends ServingOptions {
  readonly timeout?: number;
}

/** Serves the application of a file as the file says; the options come before what it says. */
export const run: RunCommand<RunOptions> = async ({ values: [reference], options }, terminal) => {
  const signals = new Signals();
  const opening = openingOf(options);
  const { timeout } = options;
  const entry = await loadEntry(chooseEntry(reference), { timeout, opening, waitsForServing: true });
  try {
    await serveEntry(entry, options, opening);
    announceEntry(entry, terminal, 'Serving. Ctrl-C ends it.');
    return await untilEnded(entry, signals, terminal);
  } finally {
    await entry.close();
    signals.release();
  }
};

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
