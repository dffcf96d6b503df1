import type { JsonSchema } from '../../../index.ts';
import { COUNT, DETAIL, FLAG, listOf, objectSchema, TEXT, TEXTS } from './parts.ts';

const STATUS: JsonSchema = {
  type: 'string',
  enum: ['running', 'blocked', 'awaiting_confirmation', 'completed', 'cancelled', 'expired'],
};
const TIME: JsonSchema = { type: 'string', format: 'date-time' };
const REPAIRS = { issues: TEXTS, details: listOf(DETAIL), suggestions: TEXTS };
const PROGRESS = objectSchema({ completed: COUNT, skipped: COUNT, total: COUNT });

const STEP = objectSchema(
  {
    id: TEXT,
    title: TEXT,
    prompt: TEXT,
    askForFiles: FLAG,
    requireConfirmation: FLAG,
    iteration: COUNT,
  },
  ['iteration'],
);

/** Where a run stands: what most of the tools give. */
export const runView = objectSchema({
  runId: TEXT,
  token: TEXT,
  workflowId: TEXT,
  definitionHash: TEXT,
  seq: COUNT,
  status: STATUS,
  step: { anyOf: [STEP, { type: 'null' }] },
  progress: PROGRESS,
  ...REPAIRS,
  attemptsLeft: COUNT,
  notes: TEXTS,
  warnings: TEXTS,
  expiresAt: TIME,
});

const SUMMARY = objectSchema(
  {
    runId: TEXT,
    workflowId: TEXT,
    goal: TEXT,
    status: STATUS,
    seq: COUNT,
    createdAt: TIME,
    updatedAt: TIME,
    expiresAt: TIME,
  },
  ['goal'],
);

/** What workflow_resume gives: one run, or those that fit. */
export const resumedRuns = {
  type: 'object',
  anyOf: [runView, objectSchema({ runs: listOf(SUMMARY) })],
} as const;

/** What workflow_status gives. */
export const runStatus = objectSchema(
  {
    runId: TEXT,
    workflowId: TEXT,
    definitionHash: TEXT,
    seq: COUNT,
    status: STATUS,
    goal: TEXT,
    progress: PROGRESS,
    ...REPAIRS,
    history: listOf(
      objectSchema(
        {
          seq: COUNT,
          at: TIME,
          type: TEXT,
          actor: TEXT,
          stepId: TEXT,
          iteration: COUNT,
          reason: TEXT,
        },
        ['stepId', 'iteration', 'reason'],
      ),
    ),
    omitted: COUNT,
    expiresAt: TIME,
  },
  ['goal'],
);
