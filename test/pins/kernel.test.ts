import { describe, expect, test } from '@jest/globals';
import { dirname } from 'node:path';
import ts from 'typescript';
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
