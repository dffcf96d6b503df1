import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EvaluatedCase, EvaluatedRun, EvaluatedShare, EvalsView } from '../../explorer/contract.ts';
import { isPlainObject, membersOf, parseJson, type PlainObject } from '../../shared/json.ts';

/** Where `toolwright eval --format jsonl -o` puts reports for the explorer. */
const FOLDER = join('evals', 'runs');
/** Older files, and larger ones, are left out: each, and all together. */
const MAX_FILE_COUNT = 50;
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_TEXT_LENGTH = 500;

/** The reports of evals in the current folder, the newest first. */
export async function readEvalReports(): Promise<EvalsView> {
  const names = await readdir(FOLDER).catch(() => []);
  const files = await Promise.all(names.filter((name) => name.endsWith('.jsonl')).map(findFile));
  const newest = files
    .flat()
    .toSorted((one, other) => other.at - one.at)
    .slice(0, MAX_FILE_COUNT);
  const runs: EvaluatedRun[] = [];
  let left = MAX_BYTES;
  for (const { name, at, size } of newest) {
    left -= size;
    if (left < 0) break;
    // It may be gone by now
    const text = await readFile(join(FOLDER, name), 'utf8').catch(() => '');
    runs.push(...readRuns(text, name, at));
  }
  return { folder: FOLDER, runs };
}

/** An empty list for what is too large, gone, or a folder. */
async function findFile(name: string): Promise<readonly { name: string; at: number; size: number }[]> {
  const found = await stat(join(FOLDER, name)).catch(() => undefined);
  if (found?.isFile() !== true || found.size > MAX_FILE_BYTES) return [];
  return [{ name, at: found.mtimeMs, size: found.size }];
}

/** The line of a surface stands after those of its runs. Other lines are left out. */
function readRuns(text: string, file: string, at: number): readonly EvaluatedRun[] {
  const found: EvaluatedRun[] = [];
  let lines: PlainObject[] = [];
  for (const line of text.split('\n')) {
    const value = membersOf(parseJson(line));
    if (value['type'] === 'run') lines.push(value);
    if (value['type'] !== 'surface') continue;
    found.push({
      ...{ id: `${file} ${String(found.length + 1)}`, file, at },
      surface: String(value['surface']),
      model: String(value['model']),
      surfaceHash: String(value['surfaceHash']),
      tools: Number(value['tools']),
      tokens: Number(value['definitionTokens']),
      shares: readShares(value['metrics']),
      cases: readCases(lines),
    });
    lines = [];
  }
  return found;
}

function readShares(metrics: unknown): EvaluatedRun['shares'] {
  return Object.entries(membersOf(metrics)).flatMap(([name, value]) => {
    const { passed, of, low, high } = membersOf(value);
    const isShare = [passed, of, low, high].every((each) => typeof each === 'number');
    return isShare && of !== 0 ? [{ name, ...({ passed, of, low, high } as EvaluatedShare) }] : [];
  });
}

/** The trials of a case together: it is done where it was done each time. */
function readCases(lines: readonly PlainObject[]): readonly EvaluatedCase[] {
  const byName = new Map<string, PlainObject[]>();
  for (const line of lines) {
    const name = String(line['case']);
    byName.set(name, [...(byName.get(name) ?? []), line]);
  }
  return [...byName].map(([name, trials]) => {
    const shown = ['failed', 'stale'].flatMap((status) => trials.filter((each) => each['status'] === status));
    const [worst = trials[0] ?? {}] = shown;
    const { status, why, calls } = worst;
    return {
      name,
      status: status === 'failed' || status === 'stale' ? status : 'done',
      done: trials.length - shown.length,
      of: trials.length,
      ...(typeof why === 'string' ? { why: why.slice(0, MAX_TEXT_LENGTH) } : {}),
      calls: Array.isArray(calls) ? calls.filter(isPlainObject).map(sayCall) : [],
    };
  });
}

function sayCall({ tool, action, input, code }: PlainObject): string {
  const given = JSON.stringify(input ?? {}).slice(0, MAX_TEXT_LENGTH);
  return `${String(action ?? tool)} ${given}${typeof code === 'string' ? ` ${code}` : ''}`;
}
