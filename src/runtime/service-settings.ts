import type { CacheOptions } from '../metadata/options.ts';
import type { Tasks } from './tasks/tasks.ts';
import type { Pagination } from './methods/pagination.ts';
import type { Conversations } from './conversation/conversations.ts';

/** What everything that serves an application has in common. */
export interface ServiceSettings {
  /** How lists are paged; undefined lists everything at once. */
  readonly pagination: Pagination | undefined;
  /** How long lists may be kept; undefined keeps nothing. */
  readonly cache: CacheOptions | undefined;
  /** How clients are asked. */
  readonly conversations: Conversations;
  /** The tasks that calls become. */
  readonly tasks: Tasks;
}
