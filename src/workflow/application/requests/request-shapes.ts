import type { RequestShape } from './check-request.ts';
import { completedSteps, contextObject, lookupId, stepOutput } from './request-fields.ts';

export const getShape: RequestShape = { required: { workflowId: lookupId } };

export const nextShape: RequestShape = {
  required: { workflowId: lookupId },
  optional: { completedSteps, context: contextObject },
};

export const validateShape: RequestShape = {
  required: { workflowId: lookupId, stepId: lookupId, output: stepOutput },
  optional: { context: contextObject },
};
