import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import ts from 'typescript';
import { FEATURES } from '../../src/app/features.ts';
import { ROOT } from './docs/example.ts';

/** What the compiler says of the kernel alone, and of one more file in the room of the call. */
function problemsOf(text: string): readonly string[] {
  const path = `${ROOT}src/kernel/tsconfig.json`;
  const { config } = ts.readConfigFile(path, (file) => ts.sys.readFile(file)) as { config: unknown };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path));
  const added = `${ROOT}src/kernel/call/added.ts`;
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => file === added || fileExists(file);
  host.getSourceFile = (file, ...others) =>
    file === added ? ts.createSourceFile(file, text, others[0]) : getSourceFile(file, ...others);
  const program = ts.createProgram([...fileNames, added], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ code, messageText }) => `TS${String(code)} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
}

describe('the kernel', () => {
  test('is sound without a feature', () => {
    expect(
      problemsOf("import type { Call } from './call.ts';\nexport type Target = Call['target'];\n"),
    ).toEqual([]);
  });

  test('cannot read the field of a feature', () => {
    const text =
      "import type { Call } from './call.ts';\nexport const read = (call: Call): unknown => call.audited;\n";
    expect(problemsOf(text)).toEqual(["TS2339 Property 'audited' does not exist on type 'Call'."]);
  });
});

/** Files of `src` outside of a feature's folder that have one of its exported names. They may only become fewer. */
const KNOWN_OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  idempotency: [
    'src/app/features.ts',
    'src/app/tool-action.ts',
    'src/call/tool-context.ts',
    'src/compile/tools/compiled-tool.ts',
    'src/features/budgets/fitting.ts',
    'src/index.ts',
    'src/operations/operation-controllers.ts',
    'src/scanner/members/check-members.ts',
    'src/workflow/module/run-controllers.ts',
  ],
  // Docstrings and the checks of marks name its decorator
  consent: [
    'src/app/consent-pages.ts',
    'src/app/features.ts',
    'src/app/tool-action.ts',
    'src/application.ts',
    'src/application/application-options.ts',
    'src/audit/audit-record.ts',
    'src/compile/tools/compiled-tool.ts',
    'src/decorators/requirements.ts',
    'src/features/audit/audit-stages.ts',
    'src/features/telemetry/observe.ts',
    'src/index.ts',
    'src/operations/curation.ts',
    'src/operations/operation-controllers.ts',
    'src/runtime/local-calls.ts',
    'src/scanner/actions/read-actions.ts',
    'src/scanner/members/check-members.ts',
    'src/workflow/module/run-controllers.ts',
  ],
  budgets: ['src/app/features.ts', 'src/app/limit-options.ts', 'src/index.ts'],
  state: ['src/app/features.ts', 'src/call/tool-context.ts', 'src/index.ts'],
  audit: ['src/app/features.ts'],
  'sign-in': ['src/app/features.ts'],
  telemetry: ['src/app/features.ts'],
  // Docstrings name its decorator
  'time-limit': [
    'src/app/features.ts',
    'src/app/limit-options.ts',
    'src/app/tool-action.ts',
    'src/builder/tool-group-builder.ts',
    'src/index.ts',
    'src/operations/operation-controllers.ts',
  ],
  // Advice and docstrings name its decorators
  limits: [
    'src/app/features.ts',
    'src/app/limit-options.ts',
    'src/app/tool-action.ts',
    'src/application/advice.ts',
    'src/builder/tool-group-builder.ts',
    'src/index.ts',
  ],
};

describe('a feature', () => {
  const sources = filesOf('src', '.ts');
  const folders = readdirSync(`${ROOT}src/features`, { withFileTypes: true });
  const features = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);

  test('is in the list', () => {
    expect(features.sort()).toEqual(FEATURES.map(({ name }) => name).sort());
    expect(features).toEqual(Object.keys(KNOWN_OUTSIDE).sort());
  });

  test.each(features)('%s is known in few places outside of its folder', (feature) => {
    const folder = `src/features/${feature}/`;
    const own = [...sources].filter(([path]) => path.startsWith(folder));
    const names = own.flatMap(([, text]) =>
      [...text.matchAll(/^export (?:async )?(?:class|const|function|interface|type) (\w+)/gm)].map(
        ([, name]) => name,
      ),
    );
    const known = new RegExp(`(?<!NodeJS\\.)\\b(?:${names.join('|')})\\b|features/${feature}/`);
    const outside = [...sources].filter(([path, text]) => !path.startsWith(folder) && known.test(text));
    expect(outside.map(([path]) => path).sort()).toEqual(KNOWN_OUTSIDE[feature]);
  });

  test('leaves no module that users cannot resolve in the types of the package', () => {
    const declarations = filesOf('dist', '.d.ts');
    expect(declarations.size).toBeGreaterThan(0);
    const merging = [...declarations].filter(([, text]) => text.includes('declare module'));
    expect(merging.map(([path]) => path)).toEqual([]);
  });
});

/** The texts of files by their paths. */
function filesOf(folder: string, ending: string): ReadonlyMap<string, string> {
  const names = readdirSync(`${ROOT}${folder}`, { recursive: true }).map(String);
  const paths = names.filter((name) => name.endsWith(ending)).map((name) => `${folder}/${name}`);
  return new Map(paths.map((path) => [path, readFileSync(`${ROOT}${path}`, 'utf8')]));
}
