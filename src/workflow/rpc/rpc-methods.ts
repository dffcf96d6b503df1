import { checkRequest, type RequestShape, lookupId } from '../application/check-request.ts';
import type { GetWorkflowRequest, NextStepRequest, ValidateStepRequest } from '../application/use-cases.ts';
import type { WorkflowService } from '../application/workflow-service.ts';
import { initialize, type ServerInfo } from './initialize.ts';

/** Params are an object, or something that the method refuses. */
export type RpcMethod = (params: unknown) => Promise<unknown>;

const noParams: RequestShape = { required: {} };
const documentParams: RequestShape = { required: {}, optional: { workflowJson: () => [] } };
const idParams: RequestShape = { required: { id: lookupId } };

/** What the server can be asked for; the use cases check their requests themselves. */
export function rpcMethods(
  service: WorkflowService,
  serverInfo: ServerInfo,
  shutDown: () => void,
): ReadonlyMap<string, RpcMethod> {
  return new Map<string, RpcMethod>([
    ['initialize', async (params) => initialize(params, serverInfo)],
    [
      'shutdown',
      async (params) => {
        checkRequest(params, noParams);
        shutDown();
        return null;
      },
    ],
    [
      'workflow_list',
      async (params) => {
        checkRequest(params, noParams);
        return service.listWorkflows();
      },
    ],
    ['workflow_get', async (params) => service.getWorkflow(getRequest(params))],
    ['workflow_next', async (params) => service.getNextStep(params as NextStepRequest)],
    ['workflow_validate', async (params) => service.validateStepOutput(params as ValidateStepRequest)],
    [
      'workflow_validate_json',
      async (params) => {
        checkRequest(params, documentParams);
        return service.validateWorkflowJson((params as { readonly workflowJson?: unknown }).workflowJson);
      },
    ],
  ]);
}

/** Here, the workflow may be called `id`, too; together with `workflowId` it is an unknown member. */
function getRequest(params: unknown): GetWorkflowRequest {
  const request = params as Partial<GetWorkflowRequest> & { readonly id?: string };
  if (request.id === undefined || request.workflowId !== undefined) return request as GetWorkflowRequest;
  checkRequest(request, idParams);
  return { workflowId: request.id };
}
