import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { variablesOf, type Stage } from '../pins/deploying/dockerfile.ts';

/** Files of your machine that go into an image, and where they are. */
export interface Context {
  readonly directory: string;
  /** Names that .dockerignore lets in. */
  readonly allowed: readonly string[];
}

/** Words that are about the image and its start: they are compared, not run. */
const DECLARED = new Set(['ENV', 'USER', 'EXPOSE', 'HEALTHCHECK', 'CMD']);

/** A stage of a Dockerfile in a folder that takes the place of `/`: its files are copied, and its commands run. */
export class ImageStage {
  readonly root: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly #stage: Stage;
  #workdir = '/';

  constructor(root: string, stage: Stage) {
    this.root = root;
    this.#stage = stage;
    this.variables = variablesOf(stage);
  }

  /** Where its commands run. */
  get directory(): string {
    return join(this.root, this.#workdir);
  }

  async build(context: Context, before: ReadonlyMap<string, ImageStage>): Promise<void> {
    for (const { word, text } of this.#stage.instructions) {
      if (word === 'WORKDIR') await this.#enter(text);
      else if (word === 'COPY') await this.#copy(text.split(' '), context, before);
      else if (word === 'RUN') await this.#run(text);
      else assert.ok(DECLARED.has(word), `${word} ${text} is not run by this check`);
    }
  }

  async #enter(path: string): Promise<void> {
    this.#workdir = path;
    await mkdir(this.directory, { recursive: true });
  }

  async #copy(
    words: readonly string[],
    context: Context,
    before: ReadonlyMap<string, ImageStage>,
  ): Promise<void> {
    const [, name] = /^--from=(\S+)$/.exec(words[0] ?? '') ?? [];
    const sources = words.slice(name === undefined ? 0 : 1, -1);
    const target = join(this.directory, words.at(-1) ?? '');
    for (const source of sources) {
      if (name === undefined)
        assert.ok(context.allowed.includes(source), `.dockerignore keeps ${source} out`);
      const from = name === undefined ? join(context.directory, source) : join(rootOf(name, before), source);
      const isFile = (await stat(from)).isFile();
      // A file goes into a folder, and of a folder what is in it
      await cp(from, isFile && /\/$/.test(words.at(-1) ?? '') ? join(target, basename(source)) : target, {
        recursive: true,
        // The commands of npm are links within their folder
        verbatimSymlinks: true,
      });
    }
  }

  async #run(command: string): Promise<void> {
    assert.doesNotMatch(command, /(^|[\s=])\//, 'A path of the image would be one of this machine');
    // No variable of the environment may do what the page does not say
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], CI: 'true', ...this.variables };
    const options = { cwd: this.directory, env, maxBuffer: 2 ** 26 };
    await promisify(execFile)('sh', ['-c', command], options).catch((error: unknown) => {
      const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
      throw new Error(`RUN ${command} failed:\n${stdout}\n${stderr}`);
    });
  }
}

function rootOf(name: string, before: ReadonlyMap<string, ImageStage>): string {
  const stage = before.get(name);
  assert.ok(stage !== undefined, `There is not a stage ${name}`);
  return stage.root;
}
