export {
  compare,
  compatible,
  equal,
  greaterThan,
  InvalidConstraintError,
  InvalidMatrixError,
  InvalidVersionError,
  lessThan,
  mustParse,
  NoCompatibleVersionError,
  parse,
  type Version,
} from './version.ts';
export { check, parseConstraint, type CheckOptions, type Constraint } from './constraint.ts';
export {
  Matrix,
  negotiate,
  type MatrixEntry,
  type MatrixResult,
  type Negotiated,
  type VersionJudge,
} from './matrix.ts';
