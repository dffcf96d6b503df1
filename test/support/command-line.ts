import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMMAND = join(ROOT, 'dist/cli/main.js');

/** How a command ended, and all that it wrote. */
export interface CommandEnd {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of files in which the package can be imported by its name, as where it is installed. */
export class CommandFolder {
  readonly path: string;

  constructor(files: Readonly<Record<string, string>> = {}) {
    mkdirSync(join(ROOT, '.cache'), { recursive: true });
    this.path = mkdtempSync(join(ROOT, '.cache/command-'));
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  write(name: string, text: string): void {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Runs `toolwright` of the built package in the folder, until it ends. */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandEnd> {
    const child = spawn(process.execPath, [COMMAND, ...args], {
      cwd: this.path,
      env: { ...process.env, NO_COLOR: '1', CI: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const written = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        written[stream] += text;
      });
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (exitCode) => {
        resolve({ exitCode, ...written });
      });
    });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
