import type { ClientClaim } from '../compile/surfaces/surface.ts';
import { membersOf } from '../shared/json.ts';

/** What a `clientInfo` says, whatever a client sends in its place. */
export function claimIn(clientInfo: unknown): ClientClaim {
  const { name, version } = membersOf(clientInfo);
  return { name, version };
}
