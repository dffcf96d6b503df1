import { build } from 'esbuild';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { BENCH, COMPILED, OUTPUT, PROJECT } from './folders.ts';

// What has no door of its own in the package, and is measured alone
const PARTS = [
  'src/dto/check/class-check.ts',
  'src/compile/contracts/create-contract.ts',
  'src/dto/shape/read-shape.ts',
];

/**
 * Compiles the measured programs to plain JavaScript, as somebody does who deploys a server. A loader that compiles
 * while it runs would add to start-up and memory, and some of them rewrite class fields into slow ones. Servers
 * import the built package.
 */
export async function compileSources(): Promise<void> {
  await rm(OUTPUT, { recursive: true, force: true });
  const compilerOptions = readCompilerOptions();
  const paths = await readdir(BENCH, { recursive: true });
  const sources = paths.filter((path) => path.endsWith('.ts') && !path.includes('node_modules'));
  await Promise.all([bundleParts(), ...sources.map((path) => compileFile(path, compilerOptions))]);
}

function readCompilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(PROJECT, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    readonly config: { readonly compilerOptions: object };
  };
  // A file on its own does not know that its package says "type": "module"
  const alone = { ...config.compilerOptions, noEmit: false, module: 'esnext', moduleResolution: 'bundler' };
  return ts.convertCompilerOptionsFromJson(alone, PROJECT).options;
}

async function compileFile(path: string, compilerOptions: ts.CompilerOptions): Promise<void> {
  const source = await readFile(join(BENCH, path), 'utf8');
  const { outputText } = ts.transpileModule(source, { compilerOptions, fileName: path });
  const target = join(COMPILED, path.replace(/\.ts$/, '.js'));
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, outputText);
}

async function bundleParts(): Promise<void> {
  await build({
    absWorkingDir: PROJECT,
    entryPoints: PARTS,
    outbase: PROJECT,
    outdir: OUTPUT,
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    // Packages that the parts load when they are first needed: the bundle replaces `require` by one that only throws
    banner: {
      js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    },
  });
}
