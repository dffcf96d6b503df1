/**
 * Compiles and runs one application under every supported toolchain and compares what clients would see.
 * tsx emits no parameter types: there the application that says everything has to come out the same,
 * and the one that relies on types has to be refused with the exact diagnosis.
 */
import { transformFile } from '@swc/core';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { LineProcess } from '../fixtures/line-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = `${root}test/toolchains/application/`;
// Inside the package, so that what is compiled finds the package by its name
const output = `${root}.cache/toolchains/`;

const DIAGNOSIS = [
  'TW_SCAN_INPUT_UNKNOWN: BookTools.find()',
  'TW_SCAN_DEPENDENCY_UNTYPED: BookTools constructor',
  'the compiler emitted no parameter types (esbuild, tsx and type stripping do not)',
  'fix: @Action({ input: TheClass })',
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

async function withTsc(): Promise<Outcome> {
  const emit = ['--noEmit', 'false', '--outDir', `${output}tsc`, '--rootDir', sources];
  const compiled = await node(`${root}node_modules/typescript/bin/tsc`, '-p', sources, ...emit);
  return compiled.code === 0 ? node(`${output}tsc/implicit.js`) : compiled;
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
  tsc: withTsc,
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
report('explicit', expected.output.endsWith('answer: moon a true true'), expected.output);
for (const [name, run] of Object.entries(runs)) {
  const outcome = await run();
  report(name, outcome.code === 0 && outcome.output === expected.output, outcome.output);
}
const refused = await node('--import', 'tsx', 'implicit.ts');
const isDiagnosed = refused.code === 1 && DIAGNOSIS.every((text) => refused.output.includes(text));
const told = 'refuses the application without explicit inputs, with the diagnosis';
report('tsx', isDiagnosed, isDiagnosed ? told : refused.output);
