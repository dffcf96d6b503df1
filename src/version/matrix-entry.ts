import { parseConstraint } from './constraint.ts';
import { mustParse } from './version.ts';
import { InvalidMatrixError } from './version-errors.ts';

/** What a matrix says about one component. Several entries may name the same one; all of them must hold. */
export interface MatrixEntry {
  readonly component: string;
  /** Inclusive; plain precedence, so `2.0.0-beta` is above `1.0.0` and below `2.0.0`. */
  readonly minVersion?: string;
  /** Inclusive; plain precedence. */
  readonly maxVersion?: string;
  /** A range, as `parseConstraint` reads it. */
  readonly constraint?: string;
  /** The versions that pass are deprecated; `message` says what to do. */
  readonly deprecated?: boolean;
  readonly message?: string;
}

const MEMBERS: Readonly<Record<keyof MatrixEntry, 'string' | 'boolean'>> = {
  component: 'string',
  minVersion: 'string',
  maxVersion: 'string',
  constraint: 'string',
  deprecated: 'boolean',
  message: 'string',
};

/** A frozen copy of an entry whose versions and range can be read. */
export function copyEntry(entry: MatrixEntry, position: number): MatrixEntry {
  const copy = { ...entry };
  for (const [name, value] of Object.entries(copy)) checkMember(name, value, position);
  if (typeof copy.component !== 'string' || copy.component === '') {
    throw new InvalidMatrixError(position, 'has no component.', "{ component: 'name', minVersion: '1.0.0' }");
  }
  if (copy.minVersion !== undefined) mustParse(copy.minVersion);
  if (copy.maxVersion !== undefined) mustParse(copy.maxVersion);
  if (copy.constraint !== undefined) parseConstraint(copy.constraint);
  return Object.freeze(copy);
}

function checkMember(name: string, value: unknown, position: number): void {
  if (!Object.hasOwn(MEMBERS, name)) {
    const known = Object.keys(MEMBERS).join(', ');
    throw new InvalidMatrixError(position, `has the member "${name}", which does not exist.`, `use ${known}`);
  }
  const type = MEMBERS[name as keyof MatrixEntry];
  if (value === undefined || typeof value === type) return;
  throw new InvalidMatrixError(position, `has a "${name}" that is no ${type}.`, `give ${name} as a ${type}`);
}
