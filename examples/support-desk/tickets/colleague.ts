import { ToolError, type Caller } from 'toolwright';

/** A person who works at the desk of a tenant. */
export interface Colleague {
  readonly name: string;
  readonly tenant: string;
  /** Sees the tickets of all colleagues. */
  readonly isLead: boolean;
}

/** Who calls, by the token: what a call says of itself never counts. */
export function colleagueOf(caller: Caller | undefined): Colleague {
  if (caller?.sub === undefined || caller.tenant === undefined) {
    throw new ToolError('NOT_A_COLLEAGUE', 'This token names no person of a tenant');
  }
  const { sub, tenant, roles } = caller;
  return { name: sub, tenant, isLead: roles.includes('lead') || roles.includes('admin') };
}
