import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Terminal } from '../output/terminal.ts';

/** The files that their user does not edit. */
const OWN: readonly string[] = ['operations.ts', 'operations.json'];

/**
 * Writes files that their user owns: those that are there stay as they are, and what would be written instead is shown as a
 * difference. `operations.ts` and `operations.json` are written each time.
 */
export function writeFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  isForced: boolean,
  terminal: Terminal,
): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    if (before === text) continue;
    if (before === undefined || OWN.includes(name) || isForced) {
      writeFileSync(path, text);
      terminal.say(`Wrote ${path}`);
    } else {
      terminal.say(`Left ${path} as it is. The document would have it so:`);
      terminal.say(diffLines(before.split('\n'), text.split('\n')).join('\n'));
    }
  }
}

/** The lines that only one of two texts has, in their order (longest common subsequence). */
export function diffLines(before: readonly string[], after: readonly string[]): readonly string[] {
  const common = countCommon(before, after);
  const lines: string[] = [];
  let [row, column] = [0, 0];
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) [row, column] = [row + 1, column + 1];
    else if (common(row + 1, column) >= common(row, column + 1)) lines.push(`- ${before[row++] ?? ''}`);
    else lines.push(`+ ${after[column++] ?? ''}`);
  }
  const rest = before.slice(row).map((line) => `- ${line}`);
  return [...lines, ...rest, ...after.slice(column).map((line) => `+ ${line}`)];
}

/** How many lines two texts have in common from a line of each on. */
function countCommon(
  before: readonly string[],
  after: readonly string[],
): (row: number, column: number) => number {
  const width = after.length + 1;
  const counts = new Uint32Array((before.length + 1) * width);
  const common = (row: number, column: number): number => counts[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      counts[row * width + column] =
        before[row] === after[column]
          ? common(row + 1, column + 1) + 1
          : Math.max(common(row + 1, column), common(row, column + 1));
    }
  }
  return common;
}
