import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { fuzzChecker, type FuzzReport } from './fuzz-checker.ts';
import { keepValidatorsByClass } from './forget-metadata.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const cases = Number(values.cases);
const seed = Number(values.seed);
if (!Number.isSafeInteger(cases) || cases < 1 || !Number.isSafeInteger(seed)) {
  throw new RangeError('--cases and --seed are whole numbers');
}

console.log(`${String(cases)} cases, seed ${String(seed)}`);
keepValidatorsByClass();
const report = await fuzzChecker({ cases, seed, onProgress: printProgress });
printRules(report);
printProgress(report);
for (const { seed: own, path, what, value, dto } of report.offenders) {
  console.log(
    `\nOFFENDER, seed ${String(own)} (--seed ${String(own)} --cases 1), ${path}: ${what}\n${value}\n${dto}`,
  );
}
if (report.offenders.length > 0) process.exitCode = 1;

function printProgress({ cases: done, dtos, byLibraries, accepted, strict, offenders }: FuzzReport): void {
  console.log(
    `${String(done)} cases, ${String(dtos)} DTOs (${String(byLibraries)} left to the libraries), ` +
      `${String(accepted)} accepted, ${String(strict)} too strict in a quarter of the others, ` +
      `${String(offenders.length)} offenders`,
  );
}

function printRules({ rules }: FuzzReport): void {
  const sorted = [...rules].sort(([left], [right]) => left.localeCompare(right));
  for (const [rule, { cases: met, accepted }] of sorted) {
    console.log(
      `${rule.padEnd(20)} ${String(met).padStart(8)} cases ${String(accepted).padStart(8)} accepted`,
    );
  }
}
