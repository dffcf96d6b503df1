import type { ClientDescription } from '../call/call-exchange.ts';
import { membersOf } from '../shared/json.ts';

/** What a client said of itself, from the two objects that the protocol spreads it over. */
export function describeClient(info: unknown, capabilities: unknown): ClientDescription {
  const { name, version, title } = membersOf(info);
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof version === 'string' ? { version } : {}),
    ...(typeof title === 'string' ? { title } : {}),
    capabilities: membersOf(capabilities),
  };
}

/**
 * Waits for a message to the client and forgets its failure:
 * a client that went away must not fail the handler that still works for it.
 */
export async function sendQuietly(send: () => unknown): Promise<void> {
  try {
    await send();
  } catch {
    // There is nobody left to tell.
  }
}
