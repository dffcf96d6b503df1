import { checkRequest, type RequestShape, anyText, contextObject } from '../application/check-request.ts';
import { RpcRefusal } from './rpc-failure.ts';

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

export interface InitializeResult {
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
export function initialize(params: unknown, serverInfo: ServerInfo): InitializeResult {
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
