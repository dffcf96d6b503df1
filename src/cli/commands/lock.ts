import { readFile, writeFile } from 'node:fs/promises';
import type { RunCommand } from '../command.ts';
import { compareSurfaces } from '../lock/compare-surfaces.ts';
import {
  isLockFault,
  LOCK_NAME,
  LOCK_VERSION,
  readLock,
  writeLock,
  type AcceptedChange,
} from '../lock/lock-file.ts';
import { openSource } from '../lock/lock-source.ts';
import { reportAsJson, reportAsText } from '../lock/report.ts';
import { decideOn } from '../lock/verdict.ts';
import { EXIT, type ExitCode } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { chooseEntry } from '../target/default-entry.ts';

interface LockOptions {
  readonly check?: boolean;
  readonly full?: boolean;
  readonly output?: string;
  readonly timeout?: number;
}

/** Writes what an application offers into a file, or says whether the file is up to date. */
export const run: RunCommand<LockOptions> = async ({ values: [given], options }, terminal) => {
  const entry = chooseEntry(given);
  const { check = false, full = false, output = LOCK_NAME, timeout } = options;
  if (check) return checkLock(entry, output, timeout, terminal);
  const { surface } = await openSource(entry, { timeout, byClient: full ? 'full' : 'short' });
  const known = await readFile(output, 'utf8').catch(() => undefined);
  const text = writeLock({ surface, accept: known === undefined ? [] : acceptedIn(known) });
  const isNew = text !== known;
  if (isNew) await writeFile(output, text);
  const written = isNew ? 'Wrote' : 'Nothing has changed in';
  terminal.give(
    { file: output, changed: isNew, surfaceHash: surface.surfaceHash },
    () => `${written} ${output}.`,
  );
  return EXIT.done;
};

/** What was accepted stays; a file that cannot be read is replaced. */
function acceptedIn(text: string): readonly AcceptedChange[] {
  const read = readLock(text);
  return isLockFault(read) ? [] : read.accept;
}

async function checkLock(
  entry: string,
  path: string,
  timeout: number | undefined,
  terminal: Terminal,
): Promise<ExitCode> {
  const locked = await openSource(path);
  const isFull = Object.values(locked.surface.surfaces ?? {}).some(({ tools }) => tools !== undefined);
  const { surface } = await openSource(entry, { timeout, byClient: isFull ? 'full' : 'short' });
  const { accept, version = LOCK_VERSION } = locked;
  if (writeLock({ surface, accept, version }) === locked.file?.text) {
    terminal.give({ file: path, upToDate: true }, () => `${path} is up to date.`);
    return EXIT.done;
  }
  const verdict = decideOn(compareSurfaces(locked.surface, surface), [], 'any');
  terminal.give({ file: path, upToDate: false, ...reportAsJson(verdict) }, () =>
    reportAsText(verdict, terminal),
  );
  terminal.say(`${path} is out of date. Write it again: toolwright lock ${entry}`);
  return EXIT.finding;
}
