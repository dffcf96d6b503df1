import type { Pagination } from './attach/pagination.ts';

/** What an application decides for all its connections. */
export interface ServiceSettings {
  /** How lists are paged; undefined lists everything at once. */
  readonly pagination?: Pagination;
}
