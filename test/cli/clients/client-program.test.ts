import { describe, expect, test } from '@jest/globals';
import { commandLine, findProgram } from '../../../src/cli/clients/client-program.ts';

function found(platform: NodeJS.Platform, PATH: string, ...programs: readonly string[]): string | undefined {
  return findProgram('code', { env: { PATH }, platform, isProgram: (path) => programs.includes(path) });
}

describe('findProgram', () => {
  test('takes the first folder of the PATH that has it', () => {
    expect(found('linux', '/a:/b b:/c', '/b b/code', '/c/code')).toBe('/b b/code');
    expect(found('linux', '', '/a/code')).toBeUndefined();
  });

  test('leaves out folders that count from the current one', () => {
    expect(found('linux', '.::bin:/c', 'code', 'bin/code', '/c/code')).toBe('/c/code');
  });

  test('on Windows takes programs, and not the scripts that need a shell', () => {
    const folder = String.raw`C:\Program Files\Code`;
    expect(found('win32', `D:\\x;${folder}`, `${folder}\\code.exe`)).toBe(`${folder}\\code.exe`);
    expect(found('win32', folder, `${folder}\\code.cmd`, `${folder}\\code`)).toBeUndefined();
  });
});

test('a command line can be pasted, whatever is in its words', () => {
  expect(commandLine(['a', '/b c', "it's", '$HOME', ''], 'linux')).toBe(`a '/b c' 'it'\\''s' '$HOME' ''`);
  expect(commandLine([String.raw`C:\a b\node.exe`, "it's"], 'win32')).toBe(
    String.raw`'C:\a b\node.exe' 'it''s'`,
  );
});
