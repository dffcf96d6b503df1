import { Session, type Profiler } from 'node:inspector/promises';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

/**
 * The files of `src` in which a function is executed while the work is done, counted by V8 (precise coverage). What
 * runs once, in the first calls, is not among them.
 */
export class CallFiles {
  readonly #session = new Session();

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  /** @returns paths below `src`, sorted */
  async during(work: () => Promise<unknown>): Promise<readonly string[]> {
    // What was counted so far is forgotten with each reading
    await this.#session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    return result
      .filter(hasRun)
      .flatMap(({ url }) => sourceOf(url))
      .sort();
  }

  stop(): void {
    this.#session.disconnect();
  }
}

/** The body of a module is a function without a name; it ran when the module was loaded. */
function hasRun({ functions }: Profiler.ScriptCoverage): boolean {
  return functions.some(({ ranges }) => ranges.some(({ count }) => count > 0));
}

function sourceOf(url: string): readonly string[] {
  if (!url.startsWith('file:')) return [];
  const path = fileURLToPath(url.replace(/[?#].*$/, ''));
  return path.startsWith(SOURCES) ? [path.slice(SOURCES.length).replaceAll(sep, '/')] : [];
}
