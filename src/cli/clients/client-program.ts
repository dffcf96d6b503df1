import { execFile } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** The surroundings in which programs are looked for. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly isProgram: (path: string) => boolean;
}

export const HERE: Surroundings = { env: process.env, platform: process.platform, isProgram };

/**
 * The path of a program, or undefined. On Windows only an `.exe` counts: Node refuses to start a `.cmd` without a shell.
 */
export function findProgram(
  name: string,
  { env, platform, isProgram }: Surroundings = HERE,
): string | undefined {
  const path = platform === 'win32' ? win32 : posix;
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter);
  const file = platform === 'win32' ? `${name}.exe` : name;
  // A folder that counts from the current one could be anybody's
  return folders
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, file))
    .find(isProgram);
}

/** `node` of the PATH where it is the one that runs now: its path often outlives an update. */
export function findNode(): string {
  const found = findProgram('node');
  return found !== undefined && realpathSync(found) === realpathSync(process.execPath)
    ? found
    : process.execPath;
}

/** How a program ended. */
export interface ProgramEnd {
  readonly isDone: boolean;
  readonly stdout: string;
  /** All that it wrote. */
  readonly output: string;
}

const MOST_MILLISECONDS = 120_000;

/** Runs a program to its end, without a shell. */
export function runProgram(path: string, args: readonly string[]): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    const child = execFile(path, args, { timeout: MOST_MILLISECONDS }, (error, stdout, stderr) => {
      const output = [stdout, stderr, stdout + stderr === '' ? (error?.message ?? '') : ''].join('').trim();
      resolve({ isDone: error === null, stdout, output });
    });
    child.stdin?.end();
  });
}

/** A command line for a person to paste: into a POSIX shell, or on Windows into PowerShell. */
export function commandLine(words: readonly string[], platform: NodeJS.Platform = process.platform): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quote(word, platform))).join(' ');
}

function quote(word: string, platform: NodeJS.Platform): string {
  const inner = platform === 'win32' ? word.replaceAll("'", "''") : word.replaceAll("'", `'\\''`);
  return `'${inner}'`;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
