import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { EvalsView, ExplorerEvent, LockView, SwapFailure } from '../../explorer/contract.ts';
import type { ApplicationError, McpApplication } from '../../index.ts';
import { shownPath } from '../../loader/index.ts';
import { compareSurfaces } from '../lock/compare-surfaces.ts';
import { isLockFault, LOCK_NAME, readLock } from '../lock/lock-file.ts';
import { surfaceOfApplication } from '../surface/read-surface.ts';
import type { DevelopmentEvent } from './development.ts';
import { readEvalReports } from './eval-reports.ts';

type Listener = (event: ExplorerEvent) => void;

/** What the explorer learns from `dev`: swaps, their failures, and how far the application differs from its lock. */
export class DevelopmentExplorer {
  failure: SwapFailure | undefined;
  readonly #listeners = new Set<Listener>();
  #application: McpApplication | undefined;

  /** Passes on what a person at the terminal is shown. */
  report(event: DevelopmentEvent): void {
    if (event.kind === 'served' || event.kind === 'swapped')
      this.#application = event.entry.created.application;
    this.failure = event.kind === 'failed' ? failureOf(event.error) : undefined;
    const sent = this.#eventOf(event);
    if (sent !== undefined) for (const listener of this.#listeners) listener(sent);
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Compares with the lock file of the current folder. */
  async lock(): Promise<LockView> {
    const application = this.#application;
    if (application === undefined) return { state: 'unknown', changes: [] };
    if (!existsSync(LOCK_NAME)) return { state: 'missing', changes: [] };
    const text = await readFile(LOCK_NAME, 'utf8');
    const locked = readLock(text);
    if (isLockFault(locked))
      return { state: 'unreadable', message: `${LOCK_NAME} ${locked.what}`, changes: [] };
    if (locked.surface.surfaceHash === application.surfaceHash) return { state: 'same', changes: [] };
    return differenceOf(locked.surface, application);
  }

  evals(): Promise<EvalsView> {
    return readEvalReports();
  }

  #eventOf(event: DevelopmentEvent): ExplorerEvent | undefined {
    switch (event.kind) {
      case 'served':
        return undefined;
      case 'swapped':
        return {
          type: 'swapped',
          files: event.files.map(shownPath),
          milliseconds: event.milliseconds,
          changed: event.replacement.changed,
          surfaceHash: event.entry.created.application.surfaceHash,
        };
      case 'failed':
        return { type: 'failed', failure: failureOf(event.error) };
      case 'recovered':
        return { type: 'recovered' };
    }
  }
}

/** An application that asks who calls shows its lists to nobody here. */
async function differenceOf(
  locked: Parameters<typeof compareSurfaces>[0],
  application: McpApplication,
): Promise<LockView> {
  try {
    const changes = compareSurfaces(locked, await surfaceOfApplication(application));
    return {
      state: 'different',
      changes: changes.map(({ level, rule, where, message }) => ({ level, rule, where, message })),
    };
  } catch (error) {
    const message = `What differs is shown by \`toolwright diff\`: ${(error as Error).message}`;
    return { state: 'different', message, changes: [] };
  }
}

function failureOf(error: unknown): SwapFailure {
  const text = error instanceof Error ? error.message : String(error);
  // By its shape: it may be of another copy of the package
  if (!(error instanceof Error && 'problems' in error)) return { text, problems: [] };
  const problems = (error as ApplicationError).problems.map(({ code, where, what, why, fix }) => ({
    code,
    where,
    what,
    ...(why === undefined ? {} : { why }),
    fix,
  }));
  return { text, problems };
}
