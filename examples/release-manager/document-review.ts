import { Step, Workflow } from 'toolwright/workflow';

const SEVERITIES = ['blocking', 'important', 'minor'];

const findings = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      place: { type: 'string', minLength: 1 },
      severity: { enum: SEVERITIES },
      text: { type: 'string', minLength: 15 },
    },
    required: ['place', 'severity', 'text'],
    additionalProperties: false,
  },
};

const verdict = {
  type: 'object',
  properties: {
    decision: { enum: ['accept', 'revise', 'reject'] },
    reason: { type: 'string', minLength: 20 },
  },
  required: ['decision', 'reason'],
  additionalProperties: false,
};

/** The same kind of document as the JSON files, with the types of TypeScript. */
@Workflow({
  id: 'document-review',
  name: 'Document review',
  description: 'Reviews a document: what it is for, what is wrong with it, and whether it can go out.',
  version: '1.0.0',
  category: 'documents',
})
export class DocumentReview {
  @Step({
    id: 'purpose',
    title: 'Find its purpose',
    askForFiles: true,
    validationCriteria: { type: 'length', min: 20, max: 500, message: 'One or two sentences' },
  })
  purpose(): string {
    return 'Read the document once. Say for whom it is and what they should know afterwards.';
  }

  @Step({
    id: 'findings',
    title: 'List what is wrong',
    agentRole: 'You are an editor who is kind to people and strict with sentences.',
    guidance: [`Severities: ${SEVERITIES.join(', ')}`, 'Name the place, so that it is found again'],
    validationCriteria: { type: 'schema', schema: findings, message: 'Findings are a JSON array' },
  })
  findings(): string {
    return 'List everything that keeps the document from its purpose, as JSON.';
  }

  @Step({
    id: 'verdict',
    title: 'Decide',
    requireConfirmation: { var: 'external', equals: true },
    validationCriteria: { type: 'schema', schema: verdict, message: 'A verdict has decision and reason' },
  })
  verdict(): string {
    return 'Decide as JSON whether the document can go out. One blocking finding is enough to say no.';
  }
}
