import { headerParametersOf, type HeaderParameter } from '../../shared/header-parameters.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import { idOf, isObject, isRequest } from '../json-rpc/check-messages.ts';
import { jsonRpcCodes } from '../json-rpc/json-rpc-error.ts';
import type { McpService } from '../../runtime/mcp-service.ts';
import { findHeaderMismatch } from './param-headers.ts';

// Definitions are frozen and live long, and most of them have no header parameters.
const parametersBySchema = new WeakMap<JsonSchema, readonly HeaderParameter[]>();

/** @throws HttpRefusal when the headers of a tools/call contradict its arguments */
export function checkParamHeaders({ tools }: McpService, body: unknown, headers: Headers): void {
  if (tools === undefined || !isRequest(body) || body.method !== 'tools/call') return;
  const { params } = body as { readonly params?: unknown };
  if (!isObject(params)) return;
  const schema = tools.list().find(({ name }) => name === params['name'])?.inputSchema;
  if (schema === undefined) return;
  const mismatch = findHeaderMismatch(parametersOf(schema), params['arguments'], headers);
  if (mismatch === undefined) return;
  const { header, reason } = mismatch;
  throw new HttpRefusal(400, `The headers of the request and its body disagree: ${reason}`, {
    code: jsonRpcCodes.headerMismatch,
    id: idOf(body),
    data: { mismatch: { header, body: reason } },
  });
}

/** None of a tool with a wrong declaration, which clients leave out. */
function parametersOf(schema: JsonSchema): readonly HeaderParameter[] {
  const known = parametersBySchema.get(schema);
  if (known !== undefined) return known;
  const { parameters, faults } = headerParametersOf(schema);
  const usable = faults.length === 0 ? parameters : [];
  parametersBySchema.set(schema, usable);
  return usable;
}
