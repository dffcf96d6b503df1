import { DETAIL, FLAG, listOf, objectSchema, TEXT, TEXTS } from './parts.ts';

/** What workflow_list gives. */
export const listedWorkflows = objectSchema({
  workflows: listOf(objectSchema({ id: TEXT, name: TEXT, description: TEXT, category: TEXT, version: TEXT })),
});

/** What workflow_get gives; the document's own schema is `workflowSchema`. */
export const wholeWorkflow = {
  type: 'object',
  properties: {
    id: TEXT,
    name: TEXT,
    description: TEXT,
    version: TEXT,
    steps: { type: 'array', items: { type: 'object' } },
  },
  required: ['id', 'name', 'description', 'version', 'steps'],
} as const;

/** What workflow_next gives. */
export const nextStep = objectSchema({
  step: { type: ['object', 'null'] },
  guidance: objectSchema({ prompt: TEXT, warnings: TEXTS }, ['warnings']),
  isComplete: FLAG,
});

/** What workflow_validate and workflow_validate_json give. */
export const validationResult = objectSchema({
  valid: FLAG,
  issues: TEXTS,
  suggestions: TEXTS,
  details: listOf(DETAIL),
});
