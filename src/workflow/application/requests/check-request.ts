import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import { pointTo } from '../../../schema/pointer.ts';
import type { FieldCheck, RequestFault } from './request-fields.ts';

const MOST_FAULTS = 100;
const MOST_TOLD = 10;

/** The members of a request; all others are refused. */
export interface RequestShape {
  readonly required: Readonly<Record<string, FieldCheck>>;
  readonly optional?: Readonly<Record<string, FieldCheck>>;
}

/**
 * Refuses a request with everything that is wrong with it. A member that is undefined counts as missing.
 * @throws WorkflowError `INVALID_PARAMS`
 */
export function checkRequest(request: unknown, shape: RequestShape): void {
  const faults = requestFaults(request, shape);
  if (faults.length === 0) return;
  const told = atMost(MOST_TOLD, faults).map(({ path, message }) => `${path} ${message}`.trim());
  throw new WorkflowError('INVALID_PARAMS', {
    where: 'the parameters',
    message: `The parameters are not valid: ${told.join('; ')}.`,
    details: { details: atMost(MOST_FAULTS, faults) },
  });
}

/** A request of many small faults must not make an error that is far larger. */
function atMost(maximum: number, faults: readonly RequestFault[]): readonly RequestFault[] {
  if (faults.length <= maximum) return faults;
  const rest = `has ${String(faults.length - maximum)} more faults`;
  return [...faults.slice(0, maximum), { path: '', message: rest }];
}

function requestFaults(request: unknown, { required, optional = {} }: RequestShape): readonly RequestFault[] {
  if (!hasNamedMembers(request)) return [{ path: '', message: 'must be an object with named members' }];
  const checks = { ...required, ...optional };
  const missing = Object.keys(required)
    .filter((name) => memberOf(request, name) === undefined)
    .map((name) => ({ path: pointTo('', name), message: 'is required' }));
  const wrong = Object.keys(request).flatMap((name) => {
    const value = memberOf(request, name);
    if (value === undefined) return [];
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    const path = pointTo('', name);
    return check === undefined ? [{ path, message: 'is not known' }] : check(value, path);
  });
  return [...missing, ...wrong];
}

function memberOf(request: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(request, name) ? request[name] : undefined;
}

/** Instances of a class count: callers have checked their input with one. */
function hasNamedMembers(request: unknown): request is Readonly<Record<string, unknown>> {
  return typeof request === 'object' && request !== null && !Array.isArray(request);
}
