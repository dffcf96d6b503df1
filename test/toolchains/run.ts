/**
 * Compiles and runs one application under every supported toolchain and compares what clients would see.
 * tsx emits no parameter types: there the application that says everything has to come out the same,
 * and the one that relies on types has to be refused with the exact diagnosis.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transform } from '@swc/core';
import { parseSurface, type Surface } from './surface.ts';

const run = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
// Below the package, so that it still finds itself by its own name
const output = `${root}.cache/toolchains/`;
const FILES = ['implicit', 'explicit', 'print-surface'];

async function node(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, args, { cwd: root });
  return stdout;
}

async function withTsc(): Promise<string> {
  const settings = ['--noEmit', 'false', '--outDir', `${output}tsc`, '--rootDir', here, '--paths', 'null'];
  const flags = [
    'target:es2022',
    'module:nodenext',
    'experimentalDecorators:true',
    'emitDecoratorMetadata:true',
    'skipLibCheck:true',
    'rewriteRelativeImportExtensions:true',
    'types:node',
  ]
    .flatMap((flag) => flag.split(':'))
    .map((word, index) => (index % 2 === 0 ? `--${word}` : word));
  await node(
    `${root}node_modules/typescript/bin/tsc`,
    '--ignoreConfig',
    `${here}implicit.ts`,
    ...flags,
    ...settings,
  );
  return node(`${output}tsc/implicit.js`);
}

async function withSwc(): Promise<string> {
  await mkdir(`${output}swc`, { recursive: true });
  for (const name of FILES) {
    const { code } = await transform(await readFile(`${here}${name}.ts`, 'utf8'), {
      swcrc: false,
      configFile: false,
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true },
      },
      module: { type: 'es6' },
    });
    await writeFile(`${output}swc/${name}.js`, code.replaceAll(/(from "\.\/[a-z-]+)\.ts"/g, '$1.js"'));
  }
  return node(`${output}swc/implicit.js`);
}

const runs: Readonly<Record<string, () => Promise<string>>> = {
  tsc: withTsc,
  swc: withSwc,
  'swc-node': () => node('--import', '@swc-node/register/esm-register', `${here}implicit.ts`),
  'oxc-node': () => node('--import', '@oxc-node/core/register', `${here}implicit.ts`),
  'tsx, explicit': () => node('--import', 'tsx', `${here}explicit.ts`),
};

async function diagnosisOfTsx(): Promise<string> {
  try {
    await node('--import', 'tsx', `${here}implicit.ts`);
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
  throw new Error('tsx emits no parameter types, and yet the application that relies on them started');
}

await rm(output, { recursive: true, force: true });
const surfaces = new Map<string, Surface>();
for (const [name, start] of Object.entries(runs)) {
  const surface = parseSurface(name, await start());
  surfaces.set(name, surface);
  console.log(`${name.padEnd(14)} ${surface.surface.slice(0, 16)}  ${surface.answer}`);
}
const kinds = new Set([...surfaces.values()].map((surface) => JSON.stringify(surface)));
if (kinds.size !== 1) throw new Error('The toolchains do not agree on what clients see');

const diagnosis = await diagnosisOfTsx();
const wanted = [
  'TW_SCAN_INPUT_UNKNOWN: BookTools.find()',
  '@Action({ input:',
  'TW_SCAN_DEPENDENCY_UNTYPED: BookTools constructor',
];
const missing = wanted.filter((text) => !diagnosis.includes(text));
if (missing.length > 0)
  throw new Error(`tsx without types was not diagnosed: no ${missing.join(', ')} in\n${diagnosis}`);
console.log('tsx            refused without explicit inputs, with the diagnosis');
