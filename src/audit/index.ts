export {
  auditHash,
  type AuditCheckpoint,
  type AuditFacts,
  type AuditKeys,
  type AuditKind,
  type AuditPlace,
  type AuditRecord,
  type AuditStore,
} from './audit-record.ts';
export type { AuditCheckpointOptions, AuditOptions } from './audit-options.ts';
export {
  fileAnchor,
  InMemoryAuditStore,
  jsonLinesAuditStore,
  readCheckpoints,
  type JsonLinesAuditOptions,
} from './audit-stores.ts';
export { pruneAudit, type PruneAuditOptions } from './prune-audit.ts';
export type { AuditFault } from './audit-faults.ts';
export {
  verifyAudit,
  type AuditVerification,
  type VerifiedChain,
  type VerifyAuditOptions,
} from './verify-audit.ts';
