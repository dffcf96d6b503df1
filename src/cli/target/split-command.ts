import { CliError } from '../output/cli-error.ts';

const PART = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([^\s"'\\]+)|(\s+)|(.)/gsy;

/** The words of a command line, quoted as for a POSIX shell. Nothing is expanded, because no shell runs it. */
export function splitCommand(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [, double, single, escaped, plain, , unclosed] of line.matchAll(PART)) {
    if (unclosed !== undefined) throw unclosedQuote(unclosed);
    const text = double?.replaceAll(/\\(["\\])/g, '$1') ?? single ?? escaped ?? plain;
    if (text !== undefined) word = (word ?? '') + text;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}

function unclosedQuote(character: string): CliError {
  return new CliError('TW_CLI_TARGET', {
    where: '--command',
    what: character === '\\' ? 'ends with a backslash.' : `has a quote that is not closed: ${character}`,
    fix: `--command 'node "my server.js"'`,
  });
}
