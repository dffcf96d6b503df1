import { inspect } from 'node:util';
import { createChecker, type Checker } from '../../src/dto/check/class-check.ts';
import { createClassContract } from '../../src/compile/contracts/create-contract.ts';
import { type ObjectShape, indexShapes } from '../../src/dto/shape/shape.ts';
import type { Contract } from '../../src/compile/contracts/contract.ts';
import type { UnknownFields } from '../../src/metadata/options.ts';
import { readShape } from '../../src/dto/shape/read-shape.ts';
import { shapeProblems } from '../../src/dto/shape/shape-problems.ts';
import type { PlainObject } from '../../src/shared/json.ts';
import { withoutAbsentNulls } from './absent-nulls.ts';
import { allValues } from './alphabet.ts';
import { makeForgettable } from './forget-metadata.ts';
import { generateDto, type GeneratedDto } from './generate-dto.ts';
import { generateValue, mutate } from './generate-value.ts';
import { createRandom, type Random } from '../support/random.ts';
import { difference } from './same-value.ts';

export interface FuzzOptions {
  readonly cases: number;
  readonly seed: number;
  /** Cases of one DTO. Default: all that there are. */
  readonly perDto?: number;
  readonly onProgress?: (report: FuzzReport) => void;
}

export interface FuzzReport {
  cases: number;
  dtos: number;
  /** DTOs that are left to the libraries. */
  byLibraries: number;
  /** Accepted by the compiled check, and rightly so. */
  accepted: number;
  /** Cases with a null that stands for a field that was left out, checked once more without it. */
  absentNulls: number;
  /** Left to class-validator, which then accepted. */
  strict: number;
  /** Cases that met a rule, and how many of them were accepted. */
  readonly rules: Map<string, { cases: number; accepted: number }>;
  /** Values that only the compiled check accepts, or that it makes something else of. */
  readonly offenders: Offender[];
}

export interface Offender {
  readonly seed: number;
  readonly path: string;
  readonly what: string;
  readonly value: string;
  readonly dto: string;
}

type Outcome = Awaited<ReturnType<Contract['check']>>;

const MUTATIONS = 150;
const MOST_OFFENDERS = 5;

/** Compares the compiled checks with the libraries, on DTOs and values that are made at random. */
export async function fuzzChecker({ cases, seed, perDto, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const report: FuzzReport = {
    ...{ cases: 0, dtos: 0, byLibraries: 0, accepted: 0, absentNulls: 0, strict: 0 },
    rules: new Map(),
    offenders: [],
  };
  // each DTO has a seed of its own, so that it can be made again without all that came before it
  for (let turn = seed; report.cases < cases && report.offenders.length < MOST_OFFENDERS; turn += 1) {
    await fuzzDto(turn, perDto, report);
    if (report.dtos % 100 === 0) onProgress?.(report);
  }
  return report;
}

interface Subject {
  readonly seed: number;
  readonly dto: GeneratedDto;
  readonly checkers: readonly (readonly [string, Checker])[];
  readonly libraries: Contract['check'];
  /** The compiled check, and the libraries for what it refuses. */
  readonly both: Contract['check'];
  readonly shape: ObjectShape;
}

async function fuzzDto(seed: number, perDto: number | undefined, report: FuzzReport): Promise<void> {
  const random = createRandom(seed * 7919);
  const [dto, forget] = makeForgettable(() => generateDto(random));
  await fuzzValues({ seed, dto, random }, perDto, report).finally(forget);
}

interface Generated {
  readonly seed: number;
  readonly dto: GeneratedDto;
  readonly random: Random;
}

async function fuzzValues(
  { seed, dto, random }: Generated,
  perDto: number | undefined,
  report: FuzzReport,
): Promise<void> {
  const unknownFields: UnknownFields = random.chance(0.6) ? 'strict' : 'strip';
  // a derived class may give a nested property another type, which is not reported
  if (shapeProblems(dto.type).length > 0) return;
  const shape = readShape(dto.type);
  const without = shape.properties.map(({ name }) => name).filter(() => random.chance(0.05));
  const { check: libraries, redeclared } = createClassContract(dto.type, {
    ...{ unknownFields, without, where: 'fuzz', path: 'class-stack' },
  });
  const { check: both } = createClassContract(dto.type, { unknownFields, without, where: 'fuzz' });
  const checkers = (['generated', 'closures'] as const).map(
    (path) => [path, createChecker(shape, { unknownFields, redeclared, path })] as const,
  );
  report.dtos += 1;
  if (checkers[0]?.[1].explanation.path === 'class-stack') report.byLibraries += 1;
  const subject: Subject = { seed, dto, checkers, libraries, both, shape };
  const bases = Array.from({ length: 10 }, () => generateValue(shape, indexShapes(shape), random));
  const { name } = random.pick(shape.properties);
  const values = [
    ...bases,
    ...allValues().flatMap((one) => [
      { ...random.pick(bases), [name]: one },
      { ...random.pick(bases), [name]: [one] },
    ]),
    ...Array.from({ length: MUTATIONS }, () => mutate(random.pick(bases), random)),
  ];
  const chosen = perDto === undefined ? values : Array.from({ length: perDto }, () => random.pick(values));
  for (const value of chosen) {
    await compare(subject, value as PlainObject, random, report);
    if (report.offenders.length >= MOST_OFFENDERS) return;
  }
}

async function compare(
  subject: Subject,
  value: PlainObject,
  random: Random,
  report: FuzzReport,
): Promise<void> {
  const { seed, dto, checkers, libraries } = subject;
  const made = checkers.map(([path, checker]) => [path, checker.run(value)] as const);
  const isAccepted = made.some(([, instance]) => instance !== undefined);
  report.cases += 1;
  count(dto, isAccepted, report);
  // a value that both refuse can be no offender; some of them tell how often the check is too strict
  if (!isAccepted && random.chance(0.75)) return;
  const outcome = await libraries(value);
  if (!isAccepted) await compareIssues(subject, value, outcome, report);
  await compareAbsence(subject, value, outcome, report);
  if (!isAccepted && outcome.ok) report.strict += 1;
  if (isAccepted) report.accepted += 1;
  for (const [path, instance] of made) {
    if (instance === undefined) continue;
    const what = outcome.ok ? difference(instance, outcome.value) : 'class-validator refuses it';
    if (what === undefined) continue;
    report.offenders.push({ seed, path, what, value: inspect(value, { depth: 9 }), dto: dto.text });
  }
}

/** What the libraries are not shown may change nothing of their answer. */
async function compareIssues(
  { seed, dto, both }: Subject,
  value: PlainObject,
  outcome: Outcome,
  report: FuzzReport,
): Promise<void> {
  const [given, asked] = [await both(value), outcome].map((one) =>
    one.ok ? 'accepted' : inspect(one.issues, { depth: 9 }),
  );
  if (given === asked) return;
  const what = `${String(given)} in place of ${String(asked)}`;
  report.offenders.push({ seed, path: 'both', what, value: inspect(value, { depth: 9 }), dto: dto.text });
}

/** Null for a field that may be left out, and is nothing the field can be, has to count as leaving it out. */
async function compareAbsence(
  { seed, dto, libraries, shape }: Subject,
  value: PlainObject,
  outcome: Outcome,
  report: FuzzReport,
): Promise<void> {
  const rest = withoutAbsentNulls(value, shape, indexShapes(shape)) as PlainObject;
  if (inspect(rest, { depth: 9 }) === inspect(value, { depth: 9 })) return;
  report.absentNulls += 1;
  const other = await libraries(rest);
  const isSame = outcome.ok && other.ok ? difference(outcome.value, other.value) : undefined;
  const what = outcome.ok === other.ok ? isSame : 'a null counts as more than absence';
  if (what === undefined) return;
  report.offenders.push({ seed, path: 'nulls', what, value: inspect(value, { depth: 9 }), dto: dto.text });
}

function count({ rules }: GeneratedDto, isAccepted: boolean, report: FuzzReport): void {
  for (const rule of rules) {
    const counts = report.rules.get(rule) ?? { cases: 0, accepted: 0 };
    counts.cases += 1;
    if (isAccepted) counts.accepted += 1;
    report.rules.set(rule, counts);
  }
}
