import { relative } from 'node:path';
import { reportFailure } from '../output/report-failure.ts';
import type { Terminal } from '../output/terminal.ts';
import { announceEntry } from '../target/serve-entry.ts';
import type { DevelopmentEvent } from './development.ts';

type Swapped = Extract<DevelopmentEvent, { readonly kind: 'swapped' }>;

/** Says what happened to a person; with `--json`, as one line each on stderr, because stdout has the address. */
export function sayEvent(event: DevelopmentEvent, terminal: Terminal, canRestart: boolean): void {
  switch (event.kind) {
    case 'served':
      return announceEntry(event.entry, terminal, hintOf(canRestart));
    case 'swapped':
      return saySwap(event, terminal);
    case 'failed':
      reportFailure(event.error, terminal);
      return terminal.complain(
        terminal.talk.yellow(
          event.isServing
            ? 'The application from before this save still answers. Save again.'
            : 'Nothing is served yet. Save again.',
        ),
      );
    case 'recovered':
      return terminal.say(terminal.talk.green('The file is again what is served.'));
  }
}

function hintOf(canRestart: boolean): string {
  return `Serving. A save takes effect at once.${canRestart ? ' r starts again,' : ''} Ctrl-C ends it.`;
}

function saySwap({ files, milliseconds, replacement, count }: Swapped, terminal: Terminal): void {
  const { changed, unannounced } = replacement;
  if (terminal.isJson) {
    const names = files.map(shown);
    return terminal.line(JSON.stringify({ swapped: names, milliseconds, changed, unannounced, count }));
  }
  const { talk } = terminal;
  const news = changed.length === 0 ? 'no list changed' : `clients were notified: ${changed.join(', ')}`;
  terminal.say(
    `${talk.green('Swapped')} ${summary(files)} ${talk.dim(`in ${milliseconds.toFixed(0)} ms;`)} ${news}`,
  );
  if (unannounced.length > 0) {
    const what = unannounced.join(', ');
    terminal.say(talk.yellow(`Clients see the new ${what} when they connect again.`));
  }
}

const MOST_NAMED = 3;

function summary(files: readonly string[]): string {
  const named = files.slice(0, MOST_NAMED).map(shown).join(', ');
  return files.length > MOST_NAMED ? `${named} and ${String(files.length - MOST_NAMED)} more` : named;
}

function shown(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
}
