import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestsAbove } from '../manifest.ts';
import { packageRoot } from '../package-version.ts';
import type { Finding, Project } from './finding.ts';

const ABOUT = 'AGENTS.md';
const BLOCK = /<!-- BEGIN:toolwright -->[^]*?<!-- END:toolwright -->/;

/**
 * Compares what the AGENTS.md of a project says of Toolwright with what this release says. It has nothing to say about a
 * file without that part, or where there is no file.
 * @param renews whether to write the part of this release in its place; the rest of the file stays byte for byte
 */
export function examineAgents({ folder }: Project, renews: boolean): readonly Finding[] {
  const [nearest] = manifestsAbove(folder);
  const path = join(nearest?.folder ?? folder, ABOUT);
  const text = readText(path);
  const [known] = BLOCK.exec(text ?? '') ?? [];
  if (text === undefined || known === undefined) return renews ? [missing()] : [];
  const wanted = writeBlock(text);
  if (known === wanted) return [{ about: ABOUT, state: 'ok', found: 'is of this release' }];
  if (!renews) {
    const found = 'has a part about Toolwright that was changed, or is of another release';
    return [{ about: ABOUT, state: 'advice', found, fix: 'npx toolwright doctor --fix-agents' }];
  }
  return [
    writeText(
      path,
      text.replace(BLOCK, () => wanted),
    ),
  ];
}

/** The part of this release, with the line ends of a file. */
function writeBlock(text: string): string {
  const [block = ''] = BLOCK.exec(readFileSync(join(packageRoot(), 'examples/starter', ABOUT), 'utf8')) ?? [];
  return text.includes('\r\n') ? block.replaceAll('\n', '\r\n') : block;
}

function missing(): Finding {
  const fix = 'put <!-- BEGIN:toolwright --> and <!-- END:toolwright --> into it, and run this again';
  return { about: ABOUT, state: 'problem', found: 'has no part about Toolwright that could be renewed', fix };
}

function writeText(path: string, text: string): Finding {
  try {
    writeFileSync(path, text);
    return { about: ABOUT, state: 'ok', found: 'has the part about Toolwright of this release now' };
  } catch (cause) {
    const found = `cannot be written: ${(cause as Error).message}`;
    return { about: ABOUT, state: 'problem', found, fix: 'correct its permissions, and run this again' };
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
