import type { Problem } from '../../errors/problem-list.ts';
import { shownPath } from '../../loader/index.ts';
import { readLevel } from '../output/levels.ts';
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
      return terminal.say(terminal.talk.green('The saved file is served again.'));
  }
}

function hintOf(canRestart: boolean): string {
  return `Serving. A save takes effect at once.${canRestart ? ' r starts again,' : ''} Ctrl-C ends it.`;
}

function saySwap({ files, milliseconds, replacement, count }: Swapped, terminal: Terminal): void {
  const { changed, unannounced } = replacement;
  if (terminal.isJson) {
    const names = files.map(shownPath);
    return terminal.line(JSON.stringify({ swapped: names, milliseconds, changed, unannounced, count }));
  }
  const { talk } = terminal;
  const news = changed.length === 0 ? 'no list changed' : `announced: ${changed.join(', ')}`;
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
  const named = files.slice(0, MOST_NAMED).map(shownPath).join(', ');
  return files.length > MOST_NAMED ? `${named} and ${String(files.length - MOST_NAMED)} more` : named;
}

/** Says what could be better of an application, in a line each, and each once however often it is saved. */
export class AdviceTeller {
  #told: ReadonlySet<string> = new Set();

  tell(findings: readonly Problem[], terminal: Terminal): void {
    const advice = findings.filter((finding) => readLevel(finding) === 'advice');
    const lines = new Map(advice.map((one) => [`${one.code}: ${one.where} ${one.what}`, one]));
    const news = [...lines].filter(([line]) => !this.#told.has(line));
    // What was mended and comes back is news
    this.#told = new Set(lines.keys());
    if (news.length === 0) return;
    if (terminal.isJson) return terminal.line(JSON.stringify({ advice: news.map(([, one]) => one) }));
    const { talk } = terminal;
    for (const [line] of news) terminal.say(`${talk.yellow('advice')} ${line}`);
    terminal.say(talk.dim('`toolwright check` says why, and what to do.'));
  }
}

const MOST_SWAPS = 1000;
const MOST_BYTES = 256 * 1024 * 1024;

/** Replaced modules are never collected. After very many swaps, a person is advised to start again. */
export class Growth {
  readonly #before = process.memoryUsage().heapUsed;
  #isSaid = false;

  /** What to say after a swap; once, and mostly nothing. */
  advice(swaps: number): string | undefined {
    const grown = process.memoryUsage().heapUsed - this.#before;
    if (this.#isSaid || (swaps < MOST_SWAPS && grown < MOST_BYTES)) return undefined;
    this.#isSaid = true;
    const size = (grown / 1024 / 1024).toFixed(0);
    return `${String(swaps)} swaps took ${size} MB, and only a new process frees them. Start again (r) when it suits you; clients then lose their sessions.`;
  }
}
