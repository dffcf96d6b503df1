import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { StrangerProject } from '../package/stranger-project.ts';
import { LineProcess } from '../support/line-process.ts';
import { fileOf, type ProgramName } from './project.ts';
import type { Runtime } from './runtime.ts';

interface Setting {
  readonly what: string;
  readonly compilerOptions: object;
  readonly program: ProgramName;
  readonly said: readonly RegExp[];
}

/** What tsconfig.json says, and what the runtime has to say to it: the mistake by its code, and how to repair it. */
const SETTINGS: readonly Setting[] = [
  {
    what: 'no compiler options',
    compilerOptions: {},
    program: 'quickstart',
    said: [/TW_DECORATOR_DIALECT/, /"experimentalDecorators": true/],
  },
  {
    what: 'no emitDecoratorMetadata',
    compilerOptions: { experimentalDecorators: true },
    program: 'trips',
    said: [
      /TW_SCAN_INPUT_UNKNOWN: TripTools\.book\(\)/,
      /TW_SCAN_DEPENDENCY_UNTYPED: TripTools constructor/,
      /fix: set "emitDecoratorMetadata": true in tsconfig\.json/,
    ],
  },
];

/** A runtime that runs TypeScript refuses settings that lose types, with the fix; Node refuses decorators. */
export async function checkRefusals(project: StrangerProject, runtime: Runtime): Promise<void> {
  if (!runtime.runsSources) {
    const said = runtime.version.startsWith('20.')
      ? /Unknown file extension "\.ts"/
      : /SyntaxError|ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX/;
    return assert.match(await outputOf(project, runtime, fileOf('trips', 'source')), said);
  }
  for (const { what, compilerOptions, program, said } of SETTINGS) {
    const folder = `refused/${what.replaceAll(' ', '-')}`;
    await project.write(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions }));
    await project.write(`${folder}/package.json`, '{ "type": "module" }');
    await project.copy(`src/${program}`, `${folder}/${program}`);
    const output = await outputOf(project, runtime, `${folder}/${program}/main.ts`);
    for (const text of said) assert.match(output, text, `${runtime.name} with ${what}`);
  }
}

async function outputOf(project: StrangerProject, { command, args }: Runtime, file: string): Promise<string> {
  const path = join(project.directory, file);
  const started = new LineProcess({
    command,
    args: [...args, path],
    cwd: join(path, '../..'),
    env: { PORT: '0' },
  });
  assert.notEqual(await started.ended, 0);
  return started.output();
}
