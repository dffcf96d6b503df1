import type { SqlDialect } from '../sql/sql-database.ts';

/** Texts are compared byte by byte without being asked, and a transaction that writes keeps all others out. */
export const sqliteDialect: SqlDialect = Object.freeze({
  text: 'text',
  forUpdate: '',
  position: 'instr',
  findMeta: "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'tw_meta'",
  now: "CAST(unixepoch('subsec') * 1000 AS integer)",
});
