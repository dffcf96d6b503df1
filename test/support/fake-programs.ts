import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandFolder } from './command-line.ts';

/** Programs that stand in for those of clients: they write down how they are called. */
export class FakePrograms {
  readonly path: string;
  readonly #folder: CommandFolder;

  constructor(folder: CommandFolder) {
    this.#folder = folder;
    this.path = join(folder.path, 'bin');
    folder.write('bin/package.json', '{ "type": "commonjs" }');
  }

  /** @param body JavaScript; `args` are the arguments, and `end(code, stdout, stderr)` ends it */
  add(name: string, body: string): void {
    this.#folder.write(
      `bin/${name}`,
      `#!${process.execPath}
const args = process.argv.slice(2);
require('node:fs').appendFileSync(${JSON.stringify(this.#log(name))}, JSON.stringify(args) + '\\n');
function end(code, stdout = '', stderr = '') {
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exit(code);
}
${body}
`,
    );
    chmodSync(join(this.path, name), 0o755);
  }

  /** The arguments of each call so far. */
  calls(name: string): readonly (readonly string[])[] {
    if (!existsSync(this.#log(name))) return [];
    const lines = readFileSync(this.#log(name), 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line) as readonly string[]);
  }

  #log(name: string): string {
    return join(this.#folder.path, `${name}.calls`);
  }
}
