/**
 * Compiles and runs one application under every supported toolchain and compares what clients would see.
 * tsx emits no parameter types: there the application that says everything has to come out the same,
 * and the one that relies on types has to be refused with the exact diagnosis. What refuses the application by itself
 * has to say what the guide on running TypeScript says that one sees.
 */
import { transformFile } from '@swc/core';
import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LineProcess } from '../support/line-process.ts';
import {
  createFreshProject,
  installNewerNode,
  installNode,
  runAsDocumented,
  runInVitest,
  runWithLoader,
  usePlugin,
} from './fresh-project.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = `${root}test/toolchains/application/`;
// Inside the package, so that what is compiled finds the package by its name
const output = `${root}.cache/toolchains/`;

const DIAGNOSIS = [
  'TW_SCAN_INPUT_UNKNOWN: BookTools.find()',
  'TW_SCAN_DEPENDENCY_UNTYPED: BookTools constructor',
  'the compiler wrote no parameter types: `emitDecoratorMetadata` is off, or it is esbuild or tsx',
  'fix: set "emitDecoratorMetadata": true in tsconfig.json',
  // The error points at who called create.
  '/application/print-surface.ts:',
];

const SWC = {
  swcrc: false,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    rewriteRelativeImportExtensions: true,
  },
} as const;

interface Outcome {
  readonly code: unknown;
  readonly output: string;
}

// The directory decides which tsconfig.json the runners read.
async function node(...args: readonly string[]): Promise<Outcome> {
  const started = new LineProcess({ args, cwd: sources });
  return { code: await started.ended, output: started.output() };
}

async function withTsc(name = 'tsc', ...options: readonly string[]): Promise<Outcome> {
  const emit = ['--noEmit', 'false', '--outDir', `${output}${name}`, '--rootDir', sources];
  const compiled = await node(`${root}node_modules/typescript/bin/tsc`, '-p', sources, ...emit, ...options);
  return compiled.code === 0 ? node(`${output}${name}/implicit.js`) : compiled;
}

async function withSwc(): Promise<Outcome> {
  await mkdir(`${output}swc`, { recursive: true });
  for (const name of await readdir(sources)) {
    if (!name.endsWith('.ts')) continue;
    const { code } = await transformFile(sources + name, SWC);
    await writeFile(`${output}swc/${name.replace(/ts$/, 'js')}`, code);
  }
  return node(`${output}swc/implicit.js`);
}

const runs: Readonly<Record<string, () => Promise<Outcome>>> = {
  loader: () => node('--import', 'toolwright/register', 'implicit.ts'),
  tsc: () => withTsc(),
  swc: withSwc,
  'swc-node': () => node('--import', '@swc-node/register/esm-register', 'implicit.ts'),
  'oxc-node': () => node('--import', '@oxc-node/core/register', 'implicit.ts'),
  tsx: () => node('--import', 'tsx', 'explicit.ts'),
};

function report(name: string, isFine: boolean, text: string): void {
  console.log(`${isFine ? 'ok  ' : 'FAIL'} ${name.padEnd(8)} ${text}`);
  if (!isFine) process.exitCode = 1;
}

await rm(output, { recursive: true, force: true });
const expected = await node('--import', '@oxc-node/core/register', 'explicit.ts');
report('explicit', expected.output.endsWith('answer: moon a true true true press'), expected.output);
for (const [name, start] of Object.entries(runs)) {
  const outcome = await start();
  report(name, outcome.code === 0 && outcome.output === expected.output, outcome.output);
}
const isDiagnosed = ({ code, output: text }: Outcome): boolean =>
  code === 1 && DIAGNOSIS.every((part) => text.includes(part));
const told = 'refuses the application without explicit inputs, with the diagnosis';
const refused = await node('--import', 'tsx', 'implicit.ts');
report('tsx', isDiagnosed(refused), isDiagnosed(refused) ? told : refused.output);
const untyped = await withTsc(
  'tsc-untyped',
  '--emitDecoratorMetadata',
  'false',
  '--inlineSourceMap',
  'false',
);
const isNamed = untyped.code === 1 && DIAGNOSIS.slice(0, -1).every((part) => untyped.output.includes(part));
report('tsc', isNamed, isNamed ? 'names `emitDecoratorMetadata` where it is off' : untyped.output);

const bundled = await build({
  absWorkingDir: sources,
  entryPoints: ['implicit.ts'],
  bundle: true,
  platform: 'node',
  format: 'cjs',
  write: false,
  logLevel: 'silent',
}).then(
  () => 'bundled',
  (error: unknown) => String(error),
);
report('esbuild', bundled.includes('Top-level await'), 'refuses a top-level await in a bundle of CommonJS');

const fresh = await createFreshProject(root, `${output}fresh`);
const documented = await runAsDocumented(fresh);
report('fresh', documented === expected.output, `after npm ci: ${documented}`);
// The oldest Node of each kind of hooks, and those between them
for (const version of ['20.19', '22.18', '22.19', '24.5']) {
  const executable = await installNode(`${output}node-${version}`, version);
  const printed = await runWithLoader(fresh, executable);
  report(`node ${version}`, printed === expected.output, `with the loader: ${printed}`);
}
const newerNode = await installNewerNode(`${output}node`);
const decorated = `${output}decorated.ts`;
await writeFile(
  decorated,
  "import { IsString } from 'class-validator';\nclass Note { @IsString() text = ''; }\n",
);
for (const [file, error] of [
  [`${sources}implicit.ts`, 'TypeScript parameter property is not supported in strip-only mode'],
  [decorated, 'SyntaxError: Invalid or unexpected token'],
] as const) {
  const { stderr } = await run(newerNode, [file]).catch((thrown: unknown) => thrown as { stderr: string });
  report('node 22', stderr.includes(error), `strips types, and stops: ${error}`);
}
for (const [version, executable] of [
  ['4', process.execPath],
  ['latest', newerNode],
] as const) {
  const tested = await runInVitest(fresh, version, executable);
  const isFine = tested.includes(expected.output) && /Tests\s+1 passed/.test(tested);
  report('vitest', isFine, isFine ? `${version}: ${/v\d+\.\d+\.\d+/.exec(tested)?.[0] ?? ''}` : tested);
}
// Without a tsconfig.json, the plugin writes the types
await usePlugin(fresh);
for (const [version, executable] of [
  ['4', process.execPath],
  ['latest', newerNode],
] as const) {
  const tested = await runInVitest(fresh, version, executable);
  const isFine = tested.includes(expected.output) && /Tests\s+1 passed/.test(tested);
  report('vite', isFine, isFine ? `${version}: with the plugin, without a tsconfig.json` : tested);
}
