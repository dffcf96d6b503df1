import type { WorkflowDocument } from 'toolwright/workflow';

/** A step that is checked, a loop, one that a user confirms, one that is left out, and a last one. */
export const survey: WorkflowDocument = {
  id: 'survey',
  name: 'Survey',
  description: 'Looks at some sites',
  version: '1.0.0',
  steps: [
    {
      id: 'plan',
      title: 'Plan',
      prompt: 'Name the sites.',
      validationCriteria: [{ type: 'contains', value: 'Plan', message: 'Begin with "Plan"' }],
    },
    {
      id: 'visits',
      type: 'loop',
      title: 'Visit each site',
      loop: { type: 'forEach', items: 'sites', itemVar: 'site', maxIterations: 10 },
      body: [{ id: 'visit', title: 'Visit', prompt: 'Visit this site.' }],
    },
    { id: 'approve', title: 'Approve', prompt: 'Sum up what was seen.', requireConfirmation: true },
    { id: 'retry', title: 'Retry', prompt: 'Visit again.', runCondition: { var: 'failed' } },
    { id: 'publish', title: 'Publish', prompt: 'Publish it.' },
  ],
};
