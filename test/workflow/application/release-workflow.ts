import type { WorkflowDocument } from '../../../src/workflow/domain/document/workflow-document.ts';

/** A workflow that has a bit of everything that use cases look at. */
export const releaseWorkflow: WorkflowDocument = {
  id: 'release',
  name: 'Release',
  description: 'Publish a version',
  version: '1.0.0',
  steps: [
    {
      id: 'plan',
      title: 'Plan',
      prompt: 'Plan it.',
      agentRole: 'You are a release manager',
      guidance: ['Ask first'],
      validationCriteria: [
        { type: 'contains', value: 'plan', message: 'name the plan' },
        { type: 'length', min: 100, message: 'too short', condition: { var: 'strict', equals: true } },
      ],
    },
    { id: 'review', title: 'Review', prompt: 'Review it.', runCondition: { var: 'large' } },
    { id: 'publish', title: 'Publish', prompt: 'Publish it.' },
  ],
};
