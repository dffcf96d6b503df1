import type { CacheOptions } from '../metadata/options.ts';
import type { Pagination } from './attach/pagination.ts';

/** What an application decides for all its connections. */
export interface ServiceSettings {
  /** How lists are paged; undefined lists everything at once. */
  readonly pagination?: Pagination;
  /** How long lists may be kept; undefined keeps nothing. */
  readonly cache?: CacheOptions;
}
