#!/usr/bin/env node
/** The command `toolwright`. Asking for the version loads nothing else. */
import { packageVersion } from './package-version.ts';

const given = process.argv.slice(2);
if (given.length === 1 && (given[0] === '--version' || given[0] === '-V')) {
  process.stdout.write(`${packageVersion()}\n`);
} else {
  void import('./program.ts').then(({ runProgram }) => runProgram(given));
}
