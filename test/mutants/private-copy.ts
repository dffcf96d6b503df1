import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a copy makes itself, or shares with the clone. */
const LEFT_OUT = new Set(['.git', '.cache', 'coverage', 'dist', 'node_modules']);

/** A copy of the clone in a temporary folder, so that the clone is never changed and mutants do not meet. */
export class PrivateCopy {
  /** With a slash at its end. */
  readonly root: string;
  readonly #builtFrom: string;

  /** @param clone its root, with a slash at its end; its `dist` is the package before any mutation */
  constructor(clone: string) {
    this.root = `${realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-mutants-')))}/`;
    this.#builtFrom = `${clone}dist`;
    for (const name of readdirSync(clone)) {
      if (!LEFT_OUT.has(name)) cpSync(`${clone}${name}`, `${this.root}${name}`, { recursive: true });
    }
    symlinkSync(`${clone}node_modules`, `${this.root}node_modules`, 'junction');
    this.restorePackage();
  }

  write(path: string, text: string): void {
    writeFileSync(`${this.root}${path}`, text);
  }

  /** After a build with a mutation in it. */
  restorePackage(): void {
    rmSync(`${this.root}dist`, { recursive: true, force: true });
    cpSync(this.#builtFrom, `${this.root}dist`, { recursive: true });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
