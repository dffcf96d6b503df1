import type { CallExchange } from '../../call/call-exchange.ts';
import type { ServiceSettings } from '../service-settings.ts';
import { pageOf } from './pagination.ts';
import { withCacheHint } from './with-cache-hint.ts';

/** By the method of a list, the member of the result that has its entries, and the name that its cursors have. */
const LISTS = {
  'tools/list': { member: 'tools', cursors: 'tools' },
  'prompts/list': { member: 'prompts', cursors: 'prompts' },
  'resources/list': { member: 'resources', cursors: 'resources' },
  'resources/templates/list': { member: 'resourceTemplates', cursors: 'templates' },
} as const;

export type ListMethod = keyof typeof LISTS;

export function isListMethod(method: string): method is ListMethod {
  return Object.hasOwn(LISTS, method);
}

/** The answer to a method that lists, of a list that is known. */
export function listPage(
  { pagination, cache }: Pick<ServiceSettings, 'pagination' | 'cache'>,
  method: ListMethod,
  all: readonly object[],
  cursor: unknown,
  exchange: Pick<CallExchange, 'retry'>,
): object {
  const { member, cursors } = LISTS[method];
  const { entries, nextCursor } = pageOf(pagination, cursors, all, cursor);
  const page = nextCursor === undefined ? { [member]: entries } : { [member]: entries, nextCursor };
  return withCacheHint(page, exchange, cache);
}
