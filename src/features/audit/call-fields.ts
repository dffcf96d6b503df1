import type { AuditOptions } from '../../audit/audit-options.ts';
import type { AuditLog, CallAudit } from './audit-log.ts';

declare module '../../kernel/call/call.ts' {
  interface Call {
    /** Set where the call is recorded, or may have to be. */
    audited: CallAudit | undefined;
  }
}

declare module '../../kernel/call/states.ts' {
  interface States {
    /** Undefined where nothing is recorded. */
    readonly audit?: AuditLog;
  }
}

declare module '../../runtime/runtime-facet.ts' {
  interface OptionGroups {
    readonly audit?: AuditOptions | undefined;
  }
}
