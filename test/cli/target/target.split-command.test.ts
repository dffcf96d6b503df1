import { expect, test } from '@jest/globals';
import { splitCommand } from '../../../src/cli/target/target.ts';

test.each([
  ['node server.js', ['node', 'server.js']],
  ['  node   a ', ['node', 'a']],
  [`'my node' "a b" c\\ d`, ['my node', 'a b', 'c d']],
  [`a'b'"c"`, ['abc']],
  [`"say \\"hi\\"" '' ""`, ['say "hi"', '', '']],
  ['echo $HOME `id` *', ['echo', '$HOME', '`id`', '*']],
  ['', []],
])('splits %j', (line, words) => {
  expect(splitCommand(line)).toEqual(words);
});

test.each([`"open`, `it's`, 'end\\'])('refuses %j', (line) => {
  expect(() => splitCommand(line)).toThrow(/TW_CLI_TARGET/);
});
