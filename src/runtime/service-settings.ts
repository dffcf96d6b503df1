import type { CacheOptions } from '../metadata/options.ts';
import type { Tasks } from './tasks/tasks.ts';
import type { Pagination } from './attach/pagination.ts';
import type { Conversations } from './conversation/conversations.ts';

/** What an application decides for all its connections. */
export interface ServiceSettings {
  /** How lists are paged; undefined lists everything at once. */
  readonly pagination?: Pagination;
  /** How long lists may be kept; undefined keeps nothing. */
  readonly cache?: CacheOptions;
  /** How clients are asked; undefined makes a default for each attachment. */
  readonly conversations?: Conversations;
  /** The tasks that calls become; undefined where there are none. */
  readonly tasks?: Tasks;
}
