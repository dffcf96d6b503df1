import type { LogLevel } from './request-context.ts';

/** What is fixed about the records of one event. */
export interface LogEventFacts {
  /** The levels that its records have, the usual one first. */
  readonly levels: readonly LogLevel[];
  /** What its records may have beside `level`, `event` and `message`. */
  readonly members: readonly string[];
}

const WORKFLOW_MEMBERS = ['operation', 'durationMs', 'workflowId', 'stepId', 'runId'] as const;

/**
 * Every event that the framework logs, by its name. Names, levels and members are an API for alerts: they change with
 * a version only. `docs/reference/log-events.md` says when each is sent.
 *
 * @example
 * const alerting = Object.entries(LOG_EVENTS).filter(([, { levels }]) => levels.some((level) => level === 'error'));
 */
export const LOG_EVENTS = {
  'application.empty': { levels: ['warning'], members: [] },
  'attach.without-tasks': { levels: ['warning'], members: ['cause'] },
  'audit.anchor-failed': { levels: ['error', 'notice', 'debug'], members: ['error'] },
  'audit.store-failed': { levels: ['error', 'notice', 'debug'], members: ['error'] },
  'auth.credential-refused': { levels: ['warning', 'debug'], members: ['reason'] },
  'auth.keys': { levels: ['warning'], members: ['issuer', 'cause'] },
  'auth.refused': { levels: ['warning', 'error'], members: ['reason'] },
  'backplane.bus-failed': { levels: ['error', 'notice'], members: ['error'] },
  'backplane.clock-skew': { levels: ['warning'], members: [] },
  'backplane.failover': { levels: ['warning'], members: [] },
  'backplane.store-failed': { levels: ['error', 'notice'], members: ['error'] },
  'call.check-failed': { levels: ['warning', 'debug'], members: ['error'] },
  'call.escaped': { levels: ['error'], members: ['tool', 'cause'] },
  'call.failed': { levels: ['error'], members: ['error', 'reference'] },
  'call.invalid-output': { levels: ['error'], members: ['issues'] },
  'call.late': { levels: ['notice'], members: ['error'] },
  'call.still-running': { levels: ['warning'], members: [] },
  'call.timed-out': { levels: ['warning'], members: [] },
  'change.failed': { levels: ['error'], members: ['cause'] },
  'consent.store-failed': { levels: ['error', 'debug'], members: ['error'] },
  'dto.warning': { levels: ['warning'], members: ['code'] },
  'error-hook.failed': { levels: ['error'], members: ['error'] },
  'explorer.exposed': { levels: ['warning'], members: [] },
  'forget.failed': { levels: ['error'], members: ['error'] },
  'http.authenticate': { levels: ['warning', 'debug'], members: ['cause'] },
  'http.body-read': { levels: ['error', 'debug'], members: [] },
  'http.event-store': { levels: ['warning', 'debug'], members: ['cause'] },
  'http.failed': { levels: ['error', 'debug'], members: ['cause'] },
  'http.open': { levels: ['warning'], members: [] },
  'http.route': { levels: ['error'], members: ['cause'] },
  'http.server': { levels: ['error'], members: ['cause'] },
  'http.unread': { levels: ['warning', 'debug'], members: [] },
  'http.unsent': { levels: ['warning', 'debug'], members: ['cause'] },
  'idempotency.lease-lost': { levels: ['warning'], members: [] },
  'idempotency.result-not-kept': { levels: ['warning'], members: [] },
  'idempotency.store-failed': { levels: ['error', 'debug'], members: ['error'] },
  'limits.store-failed': { levels: ['error', 'notice'], members: ['error'] },
  'list.unkept': { levels: ['debug'], members: ['cause'] },
  'metrics.failed': { levels: ['error', 'debug'], members: ['error'] },
  'nest.identity': { levels: ['warning'], members: ['tool', 'action', 'status'] },
  'policy.failed': { levels: ['error'], members: ['error'] },
  'protocol.error': { levels: ['debug'], members: ['cause'] },
  'question.abandoned': { levels: ['error'], members: [] },
  'question.diverged': { levels: ['error'], members: ['error'] },
  'question.failed': { levels: ['error'], members: ['error'] },
  'question.random-key': { levels: ['info'], members: [] },
  'question.state-refused': { levels: ['notice'], members: [] },
  'question.store-failed': { levels: ['error', 'debug'], members: ['error'] },
  'question.store-full': { levels: ['error'], members: ['error'] },
  'readiness.failed': { levels: ['warning', 'notice'], members: ['check', 'error'] },
  'request.failed': { levels: ['error'], members: ['method', 'cause'] },
  'request.refused': {
    levels: ['info'],
    members: ['httpStatus', 'status', 'reason', 'transport', 'address', 'userAgent', 'session'],
  },
  'request.served': {
    levels: ['info'],
    members: [
      ...[
        'method',
        'kind',
        'outcome',
        'code',
        'status',
        'bytes',
        'durationMs',
        'protocolVersion',
        'era',
        'transport',
        'address',
        'client',
        'clientVersion',
        'session',
      ],
    ],
  },
  'rpc.failed': { levels: ['error'], members: ['method', 'error'] },
  'result.store-failed': { levels: ['error', 'debug'], members: ['error'] },
  'proxy.upstream': { levels: ['warning', 'notice', 'debug'], members: ['code', 'error'] },
  'scan.warning': { levels: ['warning'], members: ['code'] },
  'schema.client': { levels: ['notice'], members: ['code'] },
  'schema.loose': { levels: ['notice'], members: ['field'] },
  'schema.output-unpublished': { levels: ['notice'], members: [] },
  'scope.dispose-failed': { levels: ['error'], members: ['error'] },
  'secrets.refused': { levels: ['error'], members: ['cause'] },
  'session.store-failed': { levels: ['error', 'notice', 'debug'], members: ['error'] },
  'shutdown.failed': { levels: ['error'], members: ['error'] },
  'sign-in.ended': { levels: ['notice'], members: ['reason'] },
  'sign-in.failed': { levels: ['error'], members: ['cause'] },
  'sign-in.refused': { levels: ['notice', 'warning'], members: ['reason'] },
  'surface.notice': { levels: ['notice'], members: ['code'] },
  'task.escaped': { levels: ['error'], members: ['taskId', 'cause'] },
  'task.lost': { levels: ['error'], members: ['taskId', 'cause'] },
  'task.no-queues': { levels: ['warning'], members: [] },
  'task.queue-failed': { levels: ['warning'], members: ['taskId', 'cause'] },
  'task.store-failed': { levels: ['warning'], members: ['taskId', 'cause'] },
  'task.unknown-action': { levels: ['warning'], members: ['taskId'] },
  'upstream.drift': { levels: ['warning'], members: ['tool', 'action', 'issues'] },
  'workflow.failed': { levels: ['error'], members: ['error', ...WORKFLOW_MEMBERS] },
  'workflow.left-out': { levels: ['warning'], members: ['code', 'source'] },
  'workflow.refused': { levels: ['warning', 'info'], members: ['code', 'details', ...WORKFLOW_MEMBERS] },
  'workflow.run.expiry-failed': { levels: ['error'], members: ['runId', 'cause'] },
  'workflow.served': { levels: ['debug'], members: WORKFLOW_MEMBERS },
  'workflow.unasked': { levels: ['warning'], members: ['runId', 'cause'] },
} as const satisfies Readonly<Record<string, LogEventFacts>>;

/** The name of an event that the framework logs. */
export type LogEvent = keyof typeof LOG_EVENTS;

/** The name of an event that an application logs itself: with a colon, which no name of the framework has. */
export type OwnLogEvent = `${string}:${string}`;
