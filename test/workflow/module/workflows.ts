import { Module, type Class, type DynamicModule, type Provider } from 'toolwright';
import {
  InMemoryRunStore,
  Step,
  Workflow,
  WorkflowModule,
  type WorkflowDocument,
  type WorkflowModuleOptions,
} from 'toolwright/workflow';

/** Three steps: one that is checked, one that a user confirms, one that is left out of drafts. */
export const release: WorkflowDocument = {
  id: 'release',
  name: 'Release',
  description: 'Publishes a version',
  version: '1.0.0',
  category: 'work',
  steps: [
    {
      id: 'notes',
      title: 'Write notes',
      prompt: 'Write the notes.',
      agentRole: 'You are a release manager.',
      guidance: ['Be brief'],
      validationCriteria: [{ type: 'contains', value: 'Added', message: 'Say what was added' }],
    },
    { id: 'approve', title: 'Approve', prompt: 'Sum up what goes out.', requireConfirmation: true },
    {
      id: 'publish',
      title: 'Publish',
      prompt: 'Publish it.',
      runCondition: { var: 'draft', not_equals: true },
    },
  ],
};

@Workflow({ id: 'review', name: 'Review', description: 'Reviews a text', version: '2.0.0' })
export class ReviewWorkflow {
  @Step({ id: 'read', title: 'Read' }) read(): string {
    return 'Read the text.';
  }
  @Step({
    id: 'check-all',
    type: 'loop',
    title: 'Check each part',
    loop: { type: 'forEach', items: 'parts', maxIterations: 10, itemVar: 'part' },
    body: [{ id: 'check', title: 'Check', prompt: 'Check this part.' }],
  })
  checkAll(): void {
    // The body has the prompts.
  }
}

/** An application that serves both, with runs in memory. */
export function applicationWith(
  options: WorkflowModuleOptions = {},
  features: readonly Class[] = [ReviewWorkflow],
  providers: readonly Provider[] = [],
): DynamicModule {
  @Module()
  class WorkflowApplication {}
  return {
    module: WorkflowApplication,
    imports: [
      WorkflowModule.forRoot({ sources: [[release]], store: new InMemoryRunStore(), ...options }),
      WorkflowModule.forFeature(features, providers),
    ],
  };
}
