import { Inject, Injectable, personOf, type ToolContext } from '../../index.ts';
import type { RunCaller } from '../application/runs/run-requests.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';
import { WORKFLOW_OPTIONS, type WorkflowModuleOptions } from './workflow-module-options.ts';

const TENANT = 'default';
/** All clients of a server without authentication. */
const ANYBODY = 'anybody';

/** Says on whose behalf a call comes. */
@Injectable()
export class Callers {
  readonly #identify: (context: ToolContext) => RunCaller;

  constructor(@Inject(WORKFLOW_OPTIONS) { identify = identifyByToken }: WorkflowModuleOptions) {
    this.#identify = identify;
  }

  /** @throws WorkflowError `TW_WORKFLOW_OPTION` when `identify` does not say both: runs would be anybody's. */
  of(context: ToolContext): RunCaller {
    const caller: { readonly [Name in keyof RunCaller]?: unknown } = this.#identify(context);
    const { tenant, principal } = caller;
    if (!isName(tenant) || !isName(principal)) throw nobody();
    return { tenant, principal };
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function nobody(): WorkflowError {
  return new WorkflowError('TW_WORKFLOW_OPTION', {
    where: 'WorkflowModule.forRoot, option identify',
    message: 'The option identify did not give a tenant and a principal.',
    suggestions: ['identify: (context) => ({ tenant: "…", principal: "…" })'],
  });
}

function identifyByToken({ authInfo }: ToolContext): RunCaller {
  return { tenant: TENANT, principal: authInfo === undefined ? ANYBODY : personOf(authInfo) };
}
