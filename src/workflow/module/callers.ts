import { Inject, Injectable, type AuthInfo, type ToolContext } from '../../index.ts';
import type { RunCaller } from '../application/runs/run-caller.ts';
import { WORKFLOW_OPTIONS } from './tokens.ts';
import type { WorkflowModuleOptions } from './workflow-module-options.ts';

const TENANT = 'default';
/** Whoever uses a server without authentication. */
const ANYBODY = 'anybody';

/** Says on whose behalf a call comes. */
@Injectable()
export class Callers {
  readonly #identify: (context: ToolContext) => RunCaller;

  constructor(@Inject(WORKFLOW_OPTIONS) { identify = identifyByToken }: WorkflowModuleOptions) {
    this.#identify = identify;
  }

  of(context: ToolContext): RunCaller {
    return this.#identify(context);
  }
}

function identifyByToken({ authInfo }: ToolContext): RunCaller {
  return { tenant: TENANT, principal: authInfo === undefined ? ANYBODY : personOf(authInfo) };
}

/** One client id often stands for a program that many persons use; `sub` names the person (RFC 9068, 2.2). */
function personOf({ clientId, extra }: AuthInfo): string {
  return JSON.stringify([clientId, extra?.['sub'] ?? null]);
}
