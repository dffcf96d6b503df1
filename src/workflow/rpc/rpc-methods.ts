import {
  checkRequest,
  type RequestShape,
  lookupId,
  anyText,
  contextObject,
} from '../application/check-request.ts';
import type { GetWorkflowRequest, NextStepRequest, ValidateStepRequest } from '../application/use-cases.ts';
import type { WorkflowService } from '../application/workflow-service.ts';
import { RpcRefusal } from './rpc-messages.ts';

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

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

interface InitializeResult {
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly serverInfo: ServerInfo;
}

const VERSION = '2024-11-05';
const shape: RequestShape = {
  required: { protocolVersion: anyText, capabilities: contextObject },
  // Not asked for, but clients introduce themselves
  optional: { clientInfo: contextObject },
};

/**
 * What the server says about itself.
 * @throws WorkflowError `INVALID_PARAMS`
 * @throws RpcRefusal for a protocol version that is not spoken here
 */
function initialize(params: unknown, serverInfo: ServerInfo): InitializeResult {
  checkRequest(params, shape);
  const { protocolVersion } = params as { readonly protocolVersion: string };
  if (protocolVersion !== VERSION) {
    throw new RpcRefusal({
      name: 'SERVER_ERROR',
      message: 'The protocol version is not supported.',
      data: { supportedVersions: [VERSION], requestedVersion: protocolVersion },
    });
  }
  return { protocolVersion, capabilities: { tools: {} }, serverInfo };
}
