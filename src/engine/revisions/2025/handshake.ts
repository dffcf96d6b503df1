import { INVALID_PARAMS, ProtocolError } from '../../../call/protocol-error.ts';
import type { Params } from '../../../runtime/methods/request-params.ts';
import { PART_CAPABILITIES, partsOf } from '../../../runtime/surface-part.ts';
import { offersTasks, TASK_CAPABILITIES } from '../../../runtime/tasks/task-port.ts';
import type { ServiceParts } from '../../../runtime/mcp-service.ts';
import { isObject } from '../../../shared/json.ts';
import { capabilitiesFault, infoFault } from '../2026-07-28/envelope.ts';
import type { IntroducedClient } from './session-record.ts';

/** The revisions that begin with a handshake, newest first. */
export const SESSION_REVISIONS: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

/** In characters of JSON: a server keeps for each session what its client says of itself. */
const LONGEST_INTRODUCTION = 64 * 1024;

export interface Introduction {
  readonly revision: string;
  readonly client: IntroducedClient;
}

/**
 * Reads the params of initialize. A revision that is not served is answered with the newest one, which the client may
 * refuse (spec 2025-11-25: basic/lifecycle, Version Negotiation).
 * @throws ProtocolError that names everything that is wrong
 */
export function readInitialize(params: Params): Introduction {
  const faults = initializeFaults(params);
  if (faults.length > 0) {
    throw new ProtocolError(INVALID_PARAMS, `initialize was called with wrong params: ${faults.join('; ')}`);
  }
  const protocolVersion = params['protocolVersion'] as string;
  const [newest = ''] = SESSION_REVISIONS;
  return {
    revision: SESSION_REVISIONS.includes(protocolVersion) ? protocolVersion : newest,
    client: { info: params['clientInfo'] as Params, capabilities: params['capabilities'] as Params },
  };
}

/** Each thing that is wrong with the params of initialize, as a sentence. */
export function initializeFaults(params: unknown): readonly string[] {
  const { protocolVersion, capabilities, clientInfo } = isObject(params) ? params : {};
  const faults: string[] = [];
  if (typeof protocolVersion !== 'string') faults.push('protocolVersion must be a string');
  for (const fault of [
    capabilitiesFault(capabilities, 'capabilities'),
    infoFault(clientInfo, 'clientInfo'),
  ]) {
    if (fault !== undefined) faults.push(`${fault.key} ${fault.problem}`);
  }
  if (faults.length === 0 && JSON.stringify([capabilities, clientInfo]).length > LONGEST_INTRODUCTION) {
    faults.push(
      `capabilities and clientInfo have ${String(LONGEST_INTRODUCTION)} characters together at most`,
    );
  }
  return faults;
}

export interface DeclaredOptions {
  readonly canLog: boolean;
  /** False where the connection ends with the answer of one request, so that nothing can be announced on it. */
  readonly isLasting: boolean;
}

/** What the server declares; what is declared may be relied on (spec: basic/lifecycle, Capability Negotiation). */
export function serverCapabilities(service: ServiceParts, { canLog, isLasting }: DeclaredOptions): object {
  const parts = partsOf(service).map((part) => [part, isLasting ? PART_CAPABILITIES[part] : {}] as const);
  return {
    ...(canLog ? { logging: {} } : {}),
    ...(offersTasks(service) ? TASK_CAPABILITIES['2025'] : {}),
    ...Object.fromEntries(parts),
  };
}
