export { compare, equal, greaterThan, lessThan } from './compare.ts';
export { compatible } from './compatible.ts';
export { check, parseConstraint, type CheckOptions, type Constraint } from './constraint.ts';
export { Matrix } from './matrix.ts';
export type { MatrixEntry } from './matrix-entry.ts';
export { negotiate, type MatrixResult, type Negotiated, type VersionJudge } from './negotiate.ts';
export {
  InvalidConstraintError,
  InvalidMatrixError,
  InvalidVersionError,
  NoCompatibleVersionError,
} from './version-errors.ts';
export { mustParse, parse, type Version } from './version.ts';
