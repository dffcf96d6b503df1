import { membersOf } from '../../shared/json.ts';
import type {} from './call-fields.ts';

export type { ClientResults } from './client-results.ts';
export { readModelText, shapeResult } from './shape-result.ts';

/** Whether each client is listed what fits it. @param surface the option */
export function fitsClients(surface: unknown): boolean {
  return (membersOf(surface)['use'] ?? surface) === 'auto';
}
