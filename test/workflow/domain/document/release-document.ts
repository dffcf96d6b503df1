import type {
  PlainStep,
  WorkflowDocument,
} from '../../../../src/workflow/domain/document/workflow-document.ts';

/** A step with nothing but what it has to have. */
export function plainStep(id: string, more: Partial<PlainStep> = {}): PlainStep {
  return { id, title: 'Notes', prompt: 'Write the release notes.', ...more };
}

/** The smallest document, and what a test adds to it. */
export function releaseDocument(more: Readonly<Record<string, unknown>> = {}): WorkflowDocument {
  return {
    id: 'release',
    name: 'Release',
    description: 'Bring a version out',
    version: '1.0.0',
    steps: [plainStep('write-notes')],
    ...more,
  };
}

/** A document with everything in it that a document can have. */
export const fullDocument: WorkflowDocument = {
  ...releaseDocument(),
  version: '2.10.0-rc.1+build.5',
  category: 'shipping',
  preconditions: ['The main branch is green'],
  clarificationPrompts: ['Which version?'],
  metaGuidance: ['Be brief'],
  steps: [
    plainStep('write-notes', {
      agentRole: 'You are a technical writer.',
      guidance: ['Group by area', 'Name breaking changes first'],
      askForFiles: true,
      requireConfirmation: { var: 'audience', equals: 'public' },
      runCondition: { or: [{ var: 'size', gte: 10 }, { not: { var: 'quiet' } }] },
      validationCriteria: [
        { type: 'contains', value: '##', message: 'Use headings' },
        '^#',
        {
          and: [
            { type: 'regex', pattern: '\\d{3}', flags: 'im', message: '', condition: { var: 'strict' } },
            { or: [{ type: 'length', min: 1, max: 9000, message: '' }, { not: 'todo' }] },
          ],
        },
        { type: 'schema', schema: { type: 'object', required: ['name'] }, message: '' },
      ],
    }),
    plainStep('publish', { requireConfirmation: true }),
    {
      id: 'fix-all',
      type: 'loop',
      title: 'Fix',
      loop: { type: 'forEach', items: 'bugs', maxIterations: 20, itemVar: 'bug', indexVar: 'position' },
      body: [plainStep('fix-one'), plainStep('test-one')],
      runCondition: { var: 'bugs' },
    },
    {
      id: 'publish-often',
      type: 'loop',
      title: 'Publish',
      loop: {
        type: 'until',
        condition: { var: 'live', equals: true },
        maxIterations: 3,
        iterationVar: 'try',
      },
      body: 'publish',
      requireConfirmation: { not: { var: 'trusted' } },
    },
    {
      id: 'wait',
      type: 'loop',
      title: 'Wait',
      loop: { type: 'for', count: 'rounds', maxIterations: 1000 },
      body: [plainStep('look')],
    },
  ],
};
