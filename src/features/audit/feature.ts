import { AUDIT_RULES } from '../../audit/audit-options.ts';
import { objectOf } from '../../shared/option-rules.ts';
import { feature } from '../feature.ts';
import type {} from '../sign-in/index.ts';
import { AuditLog } from './audit-log.ts';
import { compileAudit, recordAttempts } from './audit-stages.ts';
import type {} from './call-fields.ts';

/** Records calls and changes in a chain of hashes: the option `audit`. */
export const auditing = feature({
  name: 'audit',
  decorators: [],
  options: { application: { audit: objectOf(AUDIT_RULES) } },

  stages: [{ ring: 'request', place: 'audit', compile: compileAudit }],
  stagesFor: ({ audit }) =>
    audit === undefined ? [] : [{ ring: 'attempt', place: 'audit', compile: recordAttempts(audit) }],

  wanted: ({ options, isLazy }) => options.audit !== undefined && !isLazy,
  state: ({ server: name, version, secrets, logger, telemetry, options }) =>
    options.audit && new AuditLog(options.audit, { name, version, secrets, logger, telemetry }),
  changed: (change, surface, log) => log?.change(change, { surface: surface() }),
  /** Whatever kinds are recorded: what was removed cannot be looked at later. */
  forgotten: async (person, removal, log) => {
    const details = { subject: log?.hashOf(person), ...removal };
    await log?.append({ type: 'change', change: 'forgotten', details });
  },
  on: {
    'sign-in': (step, log) => {
      void log?.signIn(step);
    },
  },
  close: (log) => log?.close(),
});
